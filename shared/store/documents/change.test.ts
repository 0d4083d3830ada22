import { randomBytes } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { Document } from '../../flags/document.ts';
import { aFlag, aSegment } from '../../testing/builders.ts';
import { changeFromRecord, type StreamAttribute, storedDocumentOf } from './change.ts';
import { decodeDocument, encodeDocument, toItem } from './item.ts';

const stamp = { envId: 'env', updatedAt: 7, previous: 5, writtenAt: 9, targetedAt: 6 };

/** An item as Lambda receives it from the stream, with binary values in base64. */
function imageOf(source: Document): Record<string, StreamAttribute> {
  const item: Record<string, AttributeValue> = toItem(encodeDocument(source, stamp));
  return Object.fromEntries(
    Object.entries(item).map(([name, { S, N, B }]) => [
      name,
      B ? { B: Buffer.from(B).toString('base64') } : S === undefined ? { N } : { S },
    ]),
  );
}

describe('a record of the stream', () => {
  test.each([
    ['flag', { kind: 'flag', document: aFlag() }],
    ['compressed segment', { kind: 'segment', document: aSegment({ included: Array(2_000).fill('user') }) }],
  ] as [string, Document][])('has the document of a %s as JSON', (_, source) => {
    const record = { NewImage: imageOf(source), ApproximateCreationDateTime: 1_700_000_000 };
    const change = JSON.parse(JSON.stringify(changeFromRecord(record)));
    expect(change).toMatchObject({ kind: source.kind, envId: 'env', updatedAt: 7, previous: 5 });
    const stored = storedDocumentOf(change);
    expect(stored && decodeDocument(stored)).toMatchObject({ ok: true, value: source });
  });

  test('is dated by the table’s clock, and by the writer’s only without one', () => {
    const NewImage = imageOf({ kind: 'flag', document: aFlag() });
    expect(changeFromRecord({ NewImage, ApproximateCreationDateTime: 1_700_000_000 })?.writtenAt).toBe(
      1_700_000_000_000,
    );
    expect(changeFromRecord({ NewImage })?.writtenAt).toBe(9);
  });

  test('omits a large document', () => {
    const included = [randomBytes(60_000).toString('base64')];
    const change = changeFromRecord({ NewImage: imageOf({ kind: 'segment', document: aSegment({ included }) }) });
    expect(change).toEqual({ kind: 'segment', envId: 'env', id: 'a-segment', updatedAt: 7, previous: 5, writtenAt: 9 });
    expect(change && storedDocumentOf(change)).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(change))).toBeLessThan(200);
  });

  test.each([
    [48 * 1024, true],
    [48 * 1024 + 1, false],
  ])('has a document of %i bytes: %j', (bytes, isWithin) => {
    const NewImage = { ...imageOf({ kind: 'flag', document: aFlag() }), doc: { S: 'a'.repeat(bytes) } };
    expect(Object.hasOwn(changeFromRecord({ NewImage }) ?? {}, 'body')).toBe(isWithin);
  });

  test.each([
    ['of another item', { NewImage: { pk: { S: 'ENV#env' }, sk: { S: 'META' } } }],
    ['of a removal', {}],
    ['of an unknown kind', { NewImage: { kind: { S: 'secret' } } }],
  ])('%s is no change', (_, record) => {
    expect(changeFromRecord(record)).toBeUndefined();
  });
});
