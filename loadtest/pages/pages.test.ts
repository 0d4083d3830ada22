import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { leanReplyBytes } from '../../shared/delivery/lean.ts';
import { repeatedFlags } from '../bench/window/flags.ts';
import { MEASUREMENTS } from './measurements.ts';
import { PAGES, readFrom } from './pages.ts';

/** What API Gateway carries in one message. */
const MESSAGE_BYTES = 128 * 1_024;

const root = join(import.meta.dirname, '..', '..');

const kept = readFrom(root);

test.each(Object.entries(PAGES))('%s says what the kept figures say: npm run results -- --render', (path, page) => {
  expect(kept.text(path)).toBe(page(kept));
});

test('figures that are not there are named, with how they are made', () => {
  expect(() => readFrom('/nowhere').figures('docs/results/x.json', 'host')).toThrow(
    'there is no docs/results/x.json: npm run results -- --only host measures it',
  );
});

describe('the README says how many of the benchmark’s flags fit', () => {
  const readme = kept.text('README.md');
  const said = (pattern: RegExp) => Number(pattern.exec(readme)?.[1]);

  test('a message of API Gateway', () => {
    const most = said(/some (\d+) of FeatBit's benchmark flags for a server-side SDK/);
    const bytes = leanReplyBytes(repeatedFlags(most));
    expect(bytes).toBeGreaterThan(0.97 * MESSAGE_BYTES);
    expect(bytes).toBeLessThanOrEqual(MESSAGE_BYTES);
  });

  test('the message that Rust takes', () => {
    const most = said(/which some (\d+) of FeatBit's benchmark flags exceed/);
    const bytes = JSON.stringify(repeatedFlags(most).map(({ document }) => document)).length;
    expect(bytes / 2 ** 20).toBeCloseTo(1, 1);
  });
});

test.each(Object.entries(MEASUREMENTS))('%s has commands, pages and figures that are there', (_, measurement) => {
  const { commands, pages, figures, code, kept: files = {} } = measurement;
  const { scripts } = JSON.parse(kept.text('package.json'));
  for (const [script] of commands) expect(scripts[script]).toBeDefined();
  for (const path of [...pages, figures, ...code.filter((each) => !each.startsWith(':')), ...Object.values(files)])
    expect([path, existsSync(join(root, path))]).toEqual([path, true]);
});

test('every page of docs/results that is not written by hand is made by a measurement', () => {
  const made = new Set(Object.values(MEASUREMENTS).flatMap(({ pages }) => pages));
  const byHand = ['mutation.md', 'torture.md'];
  const pages = readdirSync(join(root, 'docs/results')).filter(
    (name) => name.endsWith('.md') && !byHand.includes(name),
  );
  expect(pages.filter((name) => !made.has(`docs/results/${name}`))).toEqual([]);
});
