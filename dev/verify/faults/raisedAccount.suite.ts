import { conformanceUnder } from './conformanceUnder.ts';

conformanceUnder('raised');
