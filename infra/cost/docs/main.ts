import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { costPage } from './costPage.ts';

npmCommand('cost:docs', 'Writes docs/cost.md anew from the model.').parse();
const path = join(import.meta.dirname, '../../../docs/cost.md');
writeFileSync(path, costPage(rangesFrom(readMeasured())));
console.error(`wrote ${path}`);
