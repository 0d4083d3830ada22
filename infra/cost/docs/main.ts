import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { costPage } from './costPage.ts';

/** `npm run cost:docs`: writes docs/cost.md anew. */
const path = join(import.meta.dirname, '../../../docs/cost.md');
writeFileSync(path, costPage(rangesFrom(readMeasured())));
console.error(`wrote ${path}`);
