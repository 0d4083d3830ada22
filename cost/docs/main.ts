import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { costPage } from './costPage.ts';

npmCommand('cost:docs', 'Writes docs/cost.md anew from the model.').parse();
const ranges = rangesFrom(readMeasured());
for (const [name, text] of [['cost.md', costPage(ranges)]] as const) {
  const path = join(import.meta.dirname, '../../docs', name);
  writeFileSync(path, text);
  console.error(`wrote ${path}`);
}
