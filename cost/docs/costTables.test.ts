import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { withCostTables } from './costTables.ts';

const ranges = rangesFrom(readMeasured());
const page = readFileSync(join(import.meta.dirname, '../../docs/cost.md'), 'utf8');

describe('the tables of docs/cost.md', () => {
  test('have the model’s figures; `npm run cost -- docs` writes them', () => {
    expect(withCostTables(page, ranges)).toBe(page);
  });

  test('are written between their marks, whatever was there', () => {
    const emptied = page.replace(/(<!-- table: presets -->)[\s\S]*?(<!-- end -->)/, '$1\n$2');
    expect(emptied.length).toBeLessThan(page.length);
    expect(withCostTables(emptied, ranges)).toBe(page);
  });

  test('must all be there, once, and be known', () => {
    expect(() => withCostTables(page.replace('table: presets', 'presets'), ranges)).toThrow('lacks the tables presets');
    expect(() => withCostTables(page.replace('table: presets', 'table: other'), ranges)).toThrow('table other');
    expect(() => withCostTables(page + page, ranges)).toThrow('there twice');
  });
});
