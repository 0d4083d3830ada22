import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { COST_PAGES, withCostTables } from './costTables.ts';

/** `npm run cost -- docs`: writes the tables of docs/cost.md and docs/cost-others.md. */
export function writeCostTables(): void {
  const all = rangesFrom(readMeasured());
  for (const [name, tables] of Object.entries(COST_PAGES)) {
    const page = join(import.meta.dirname, '../../docs', name);
    writeFileSync(page, withCostTables(readFileSync(page, 'utf8'), tables, all));
    console.error(`wrote the tables of ${page}`);
  }
}
