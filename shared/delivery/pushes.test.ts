import { describe, expect, test } from '@jest/globals';
import { compileSnapshot } from '../evaluation/snapshot.ts';
import { IN_SEGMENT } from '../flags/rule.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { type Document, documentId, encodeDocument } from '../store/item.ts';
import { aCondition, aFlag, aRule, aSegment, aUser } from '../testing/builders.ts';
import { pushesFor, type Written } from './pushes.ts';

const at = (updatedAt: number) => ({ updatedAt: formatTimestamp(updatedAt) });
const written = (source: Document, updatedAt: number): Written => {
  const stamp = { envId: 'env', updatedAt, previous: 0, writtenAt: updatedAt + 1, targetedAt: 0 };
  return {
    kind: source.kind,
    id: documentId(source),
    updatedAt,
    writtenAt: updatedAt + 1,
    stored: encodeDocument(source, stamp),
  };
};
const flag = (fields: Parameters<typeof aFlag>[0] = {}): Document => ({ kind: 'flag', document: aFlag(fields) });
const segment = (fields: Parameters<typeof aSegment>[0] = {}): Document => ({
  kind: 'segment',
  document: aSegment(fields),
});

const snapshot = compileSnapshot({
  envId: 'env',
  version: 30,
  flags: [aFlag({ key: 'f', ...at(30) })],
  segments: [aSegment({ id: 's', included: ['u1'], ...at(20) })],
});

describe('what is pushed', () => {
  test('is what the snapshot holds, where it still holds this version', () => {
    const pushes = pushesFor([written(flag({ key: 'f', ...at(30) }), 30), written(segment({ id: 's' }), 20)], snapshot);
    expect(pushes.map(({ source, updatedAt, writtenAt }) => [source, updatedAt, writtenAt])).toEqual([
      [snapshot.segments[0], 20, 21],
      [snapshot.flags[0], 30, 31],
    ]);
  });

  test('is what travelled with the change, where that has been replaced', () => {
    const rules = [aRule([aCondition(IN_SEGMENT, '', '["s"]')])];
    const [push] = pushesFor([written(flag({ key: 'f', rules, ...at(10) }), 10)], snapshot);
    expect(push?.updatedAt).toBe(10);
    expect(push?.source.json).toContain(formatTimestamp(10));
    const results = ['u1', 'u2'].map(
      (user) => push && 'evaluate' in push.source && push.source.evaluate(aUser(user)).variationId,
    );
    expect(results).toEqual(['off', 'on']);
    const [older] = pushesFor([written(segment({ id: 's', included: ['u9'], ...at(5) }), 5)], snapshot);
    expect(older?.source.json).toContain('u9');
  });

  test('leaves out what has been replaced and was too large to travel, or cannot be read', () => {
    const { stored: _, ...reference } = written(flag({ key: 'f', ...at(10) }), 10);
    const broken = written(flag({ key: 'f', ...at(11) }), 11);
    const unreadable = { ...broken, stored: broken.stored && { ...broken.stored, body: { text: '{' } } };
    expect(pushesFor([{ ...reference, stored: undefined }, unreadable], snapshot)).toEqual([]);
  });
});
