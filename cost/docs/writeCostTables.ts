import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { withCostTables } from './costTables.ts';

const PAGE = join(import.meta.dirname, '../../docs/cost.md');

/** `npm run cost -- docs`: writes the tables of docs/cost.md. */
export function writeCostTables(): void {
  writeFileSync(PAGE, withCostTables(readFileSync(PAGE, 'utf8'), rangesFrom(readMeasured())));
  console.error(`wrote the tables of ${PAGE}`);
}
