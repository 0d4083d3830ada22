import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SHARDS } from '../../shared/store/connections/connection.ts';
import type { Change } from '../../shared/store/documents/change.ts';
import { anyText } from '../../shared/testing/arbitraries/text.ts';
import { runs } from '../../shared/testing/runs.ts';
import { bodyOf, deduplicationIdOf, groupOf, type PushMessage } from './pushMessage.ts';

const envId = 'ad99d259-1f50-4ed9-a002-7c65e25487df';
const change = (text: string, fields: Partial<Change> = {}): Change => ({
  kind: 'flag',
  envId,
  id: 'f',
  updatedAt: 1_700_000_000_000,
  previous: 0,
  writtenAt: 0,
  body: { text },
  ...fields,
});
const work = (text: string, fields: Partial<Change> & { shard?: number } = {}): PushMessage => {
  const { shard = 3, ...more } = fields;
  return { shard, changes: [change(text, more)] };
};

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
function isTakenBySqs(code: number): boolean {
  const isText = (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000;
  return isText || code === 0x9 || code === 0xa || code === 0xd;
}

describe('a message of the push queue', () => {
  test('is JSON of characters that SQS takes, whatever the document holds', () => {
    const texts = fc.oneof(
      anyText(),
      fc
        .array(fc.constantFrom('\ufffe', '\uffff', '\u0000', '\u001f', '\ud800', '\ud83d\udca5', '\\', '"'))
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const body = bodyOf(work(text));
        expect(JSON.parse(body)).toEqual(work(text));
        expect([...body].filter((character) => !isTakenBySqs(character.codePointAt(0) ?? 0))).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });

  test('has an id that is the same for the same changes and shard only', () => {
    const ids = [
      work(''),
      { shard: 3, changes: [change(''), change('', { updatedAt: 1_700_000_000_001 })] } as const,
      work('', { shard: 4 }),
      work('', { updatedAt: 1_700_000_000_001 }),
      work('', { envId: '8dc61769-5af3-4d9f-8cb3-d7342e24c3eb' }),
    ].map(deduplicationIdOf);
    expect(new Set(ids).size).toBe(5);
    expect(deduplicationIdOf(work('another text'))).toBe(ids[0]);
    for (const id of ids) expect(id).toMatch(/^[\w:-]{1,128}$/);
  });

  test('belongs to the group of its shard, of as many groups as set for an environment', () => {
    const groups = (count: number) =>
      Array.from({ length: SHARDS }, (_, shard) => groupOf(work('', { shard, updatedAt: shard }), count));
    expect(groups(3).slice(0, 4)).toEqual([`${envId}#0`, `${envId}#1`, `${envId}#2`, `${envId}#0`]);
    for (const count of [1, 3, 16]) expect(new Set(groups(count)).size).toBe(count);
    expect(new Set(groups(99))).toEqual(new Set(groups(SHARDS)));
    const elsewhere = work('', { envId: '8dc61769-5af3-4d9f-8cb3-d7342e24c3eb' });
    expect(groupOf(elsewhere, 3)).not.toBe(groupOf(work(''), 3));
  });
});
