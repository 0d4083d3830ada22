import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { COST_PAGES, withCostTables } from './costTables.ts';

/** `npm run cost -- docs`: writes the computed tables of README.md and docs. */
export function writeCostTables(): void {
  const all = rangesFrom(readMeasured());
  for (const [name, tables] of Object.entries(COST_PAGES)) {
    const page = join(import.meta.dirname, '../..', name);
    writeFileSync(page, withCostTables(readFileSync(page, 'utf8'), tables, all));
    console.error(`wrote the tables of ${page}`);
  }
}
