import { conformanceUnder } from './conformanceUnder.ts';

conformanceUnder('default');
