import { describe, expect, test } from '@jest/globals';
import type { Document } from '../../../shared/flags/document.ts';
import { aFlag, aSegment } from '../testing/documents.ts';
import { type Draft, formatDrafts, parseDrafts } from './keptDrafts.ts';

const draft = (document: Document, changed: object = {}): Draft => ({
  base: { ...document, version: 7 },
  document: { ...document, document: { ...document.document, ...changed } } as Document,
});
const flag = draft({ kind: 'flag', document: aFlag() }, { name: 'Checkout' });
const segment = draft({ kind: 'segment', document: aSegment() });

describe('drafts', () => {
  test('are read as they were written', () => {
    const drafts = new Map([
      ['env flag new-checkout', flag],
      ['env segment beta-id', segment],
    ]);
    expect([...parseDrafts(formatDrafts(drafts))]).toEqual([...drafts]);
    expect(parseDrafts(formatDrafts(new Map())).size).toBe(0);
  });

  test('are left out beyond the limit, the oldest first', () => {
    const large = draft({ kind: 'flag', document: aFlag() }, { description: 'x'.repeat(900_000) });
    const names = ['a', 'b', 'c'];
    const text = formatDrafts(new Map(names.map((name) => [name, large])));
    expect(text.length).toBeLessThan(2_100_000);
    expect([...parseDrafts(text).keys()]).toEqual(['b', 'c']);
  });
});

describe('reads no drafts from', () => {
  const whole = formatDrafts(new Map([['env flag new-checkout', flag]]));

  test.each([
    ['nothing', null],
    ['a half', whole.slice(0, -20)],
    ['another version', whole.replace('"version":1', '"version":2')],
    ['a value of another program', '"dark"'],
    ['null', 'null'],
    ['a list', '[]'],
  ])('%s', (_, text) => {
    expect(parseDrafts(text).size).toBe(0);
  });
});
