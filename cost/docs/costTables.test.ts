import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { COST_PAGES, withCostTables } from './costTables.ts';

const ranges = rangesFrom(readMeasured());
const read = (name: string) => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
const page = read('docs/cost.md');
const tables = COST_PAGES['docs/cost.md'];

describe('the computed tables of README.md and docs', () => {
  test.each(Object.entries(COST_PAGES))(
    'have the model’s figures in %s; `npm run cost -- docs` writes them',
    (name, of) => {
      expect(withCostTables(read(name), of, ranges)).toBe(read(name));
    },
  );

  test('are written between their marks, whatever was there', () => {
    const emptied = page.replace(/(<!-- table: presets -->)[\s\S]*?(<!-- end -->)/, '$1\n$2');
    expect(emptied.length).toBeLessThan(page.length);
    expect(withCostTables(emptied, tables, ranges)).toBe(page);
  });

  test('must all be there, once, and be known', () => {
    expect(() => withCostTables(page.replace('table: presets', 'presets'), tables, ranges)).toThrow(
      'lacks the tables presets',
    );
    expect(() => withCostTables(page.replace('table: presets', 'table: other'), tables, ranges)).toThrow('table other');
    expect(() => withCostTables(page + page, tables, ranges)).toThrow('there twice');
  });
});
