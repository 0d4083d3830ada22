import { expect, test } from '@jest/globals';
import { aFlag, aSegment } from '../testing/builders.ts';
import { accepted } from '../testing/fixtures.ts';
import { asDeleted, deletionText, withoutDeleted } from './deletion.ts';
import { parseFlag } from './flag.ts';
import { parseSegment } from './segment.ts';
import { wireJson } from './wireDocument.ts';

test('a deleted document is an archived one to SDKs, and to nobody else', () => {
  for (const document of [aFlag(), aSegment()]) {
    expect(asDeleted(document)).toEqual({ ...document, isArchived: true, isDeleted: true });
    expect(JSON.parse(wireJson(asDeleted(document)))).toEqual({ ...document, isArchived: true });
  }
  const kept = { kind: 'flag', document: aFlag() } as const;
  expect(withoutDeleted([kept, { kind: 'flag', document: asDeleted(aFlag()) }])).toEqual([kept]);
});

test('a deleted document is archived, whatever it says', () => {
  const fields = { isArchived: false, isDeleted: true };
  expect(accepted(parseFlag(aFlag(fields)))).toEqual(asDeleted(aFlag()));
  expect(accepted(parseSegment(aSegment(fields)))).toEqual(asDeleted(aSegment()));
  expect(parseFlag({ ...aFlag(), isDeleted: 'yes' })).toMatchObject({ ok: false, problems: [{ path: 'isDeleted' }] });
});

test('the text of a deletion says when it was, and how to undo it', () => {
  expect(deletionText('flag "f"', aFlag({ updatedAt: '2024-01-01T00:00:00.000Z' }))).toBe(
    'flag "f" was deleted; `undo 2024-01-01T00:00:00.000Z` restores it, unless it was imported as deleted',
  );
});
