import { conformanceUnder } from './conformanceUnder.ts';

conformanceUnder('new-account');
