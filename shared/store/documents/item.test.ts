import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from '../../flags/document.ts';
import { aFlag, aSegment } from '../../testing/builders.ts';
import { DocumentTooLarge } from '../table/errors.ts';
import { DOCUMENT_LIMIT_BYTES, decodeDocument, encodeDocument, fromItem, requireDocument, toItem } from './item.ts';

const stamp = { envId: 'env', updatedAt: 7, previous: 5, writtenAt: 9, targetedAt: 0 };
const noise = (bytes: number) => randomBytes(bytes).toString('base64').slice(0, bytes);

describe('a document in the table', () => {
  test('comes back as it was, whatever its size', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 20_000 }).map(noise));
    fc.assert(
      fc.property(text, fc.nat(), (description, targetedAt) => {
        const documents: Document[] = [
          { kind: 'flag', document: aFlag({ description }) },
          { kind: 'segment', document: aSegment({ description }) },
        ];
        for (const source of documents) {
          const stored = fromItem(toItem(encodeDocument(source, { ...stamp, targetedAt })));
          expect(stored).toMatchObject({ ...stamp, targetedAt, kind: source.kind });
          expect(stored && requireDocument(stored)).toEqual(source);
        }
      }),
    );
  });

  test('is compressed from four kilobytes on', () => {
    const kept = toItem(encodeDocument({ kind: 'flag', document: aFlag() }, stamp));
    expect(kept).toMatchObject({ pk: { S: 'ENV#env' }, sk: { S: 'FLAG#a-flag' }, kind: { S: 'flag' } });
    expect(kept['doc']?.S).toBe(JSON.stringify(aFlag()));
    const included = Array.from({ length: 5_000 }, (_, n) => `user-${n}`);
    const packed = toItem(encodeDocument({ kind: 'segment', document: aSegment({ included }) }, stamp));
    expect(packed['doc']).toBeUndefined();
    expect(packed['docGz']?.B?.length).toBeLessThan(20_000);
  });

  test('whose text repeats is refused above 2 MiB, although the table could hold it', () => {
    const document = aFlag({ description: 'a'.repeat(2 ** 21) });
    expect(() => encodeDocument({ kind: 'flag', document }, stamp)).toThrow(DocumentTooLarge);
  });

  test('above the limit is refused by name, with its sizes and the way out', () => {
    const document = aSegment({ id: 'big', included: [noise(DOCUMENT_LIMIT_BYTES * 2)] });
    const refused = () => encodeDocument({ kind: 'segment', document }, stamp);
    expect(refused).toThrow(DocumentTooLarge);
    expect(refused).toThrow(
      new RegExp(
        `segment "big" takes \\d+ bytes in the table \\(${JSON.stringify(document).length} before compression\\), more than the limits of 399360 \\(2097152\\); nothing was written. Shorten its texts, .*split the segment`,
      ),
    );
  });
});

describe('an item of the table', () => {
  test('is passed over if it is neither flag nor segment', () => {
    expect(fromItem({ pk: { S: 'ENV#env' }, sk: { S: 'META' } })).toBeUndefined();
    expect(fromItem({ kind: { S: 'secret' } })).toBeUndefined();
    expect(fromItem({})).toBeUndefined();
  });

  test.each([
    ['no document', {}],
    ['a document that is no JSON', { doc: { S: '{' } }],
    ['a document that is no flag', { doc: { S: '[]' } }],
    ['a document that is not compressed', { docGz: { B: Buffer.from('{}') } }],
    ['a document that is cut off', { docGz: { B: gzipSync(JSON.stringify(aFlag())).subarray(0, 40) } }],
  ])('is not readable with %s, and says so by name', (_, attributes) => {
    const stored = fromItem({
      pk: { S: 'ENV#env' },
      sk: { S: 'FLAG#by#hand' },
      kind: { S: 'flag' },
      ...attributes,
    });
    expect(stored).toMatchObject({ envId: 'env', id: 'by#hand', updatedAt: 0 });
    if (!stored) return;
    expect(decodeDocument(stored).ok).toBe(false);
    expect(() => requireDocument(stored)).toThrow(/flag "by#hand" in the table/);
  });
});
