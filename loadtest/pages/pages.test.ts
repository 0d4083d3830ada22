import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { MEASUREMENTS } from './measurements.ts';
import { pagesOf, withTable } from './pages.ts';

const root = join(import.meta.dirname, '..', '..');

test.each(Object.entries(pagesOf(root)))(
  '%s says what the kept figures say: npm run results -- --no-measure',
  (path, text) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  },
);

describe('a page with a place for results', () => {
  const page = 'before\n<!-- Written by `npm run results`. -->\nold\n<!-- As far as here. -->\nafter\n';

  test('has the new ones there, and all else as it was', () => {
    const longer = withTable(page, 'new');
    expect(longer).toBe(page.replace('old', 'new'));
    expect(withTable(longer, 'new')).toBe(longer);
  });

  test('is refused without its marks', () => {
    expect(() => withTable('no place', 'new')).toThrow('has no place for results');
  });
});

test.each(Object.entries(MEASUREMENTS))(
  '%s is a command, and keeps files that are there',
  (_, { script, kept = {} }) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(scripts[script]).toBeDefined();
    for (const path of Object.values(kept)) expect(existsSync(join(root, path))).toBe(true);
  },
);
