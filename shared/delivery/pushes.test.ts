import { describe, expect, test } from '@jest/globals';
import { compileSnapshot } from '../evaluation/snapshot.ts';
import { type Document, documentId } from '../flags/document.ts';
import { IN_SEGMENT } from '../flags/rule.ts';
import { formatTimestamp } from '../flags/timestamp.ts';
import { aCondition, aFlag, aRule, aSegment, aUser } from '../testing/builders.ts';
import { isCurrent, pushesFor, type WrittenDocument } from './pushes.ts';

const at = (updatedAt: number) => ({ updatedAt: formatTimestamp(updatedAt) });
const written = (source: Document, updatedAt: number): WrittenDocument => ({
  kind: source.kind,
  id: documentId(source),
  updatedAt,
  content: () => source.document,
});
const flag = (fields: Parameters<typeof aFlag>[0] = {}): Document => ({ kind: 'flag', document: aFlag(fields) });
const segment = (fields: Parameters<typeof aSegment>[0] = {}): Document => ({
  kind: 'segment',
  document: aSegment(fields),
});

const snapshot = compileSnapshot({
  envId: 'env',
  version: 30,
  flags: [aFlag({ key: 'e', ...at(15) }), aFlag({ key: 'f', ...at(30) })],
  segments: [aSegment({ id: 'r', included: ['u2'], ...at(16) }), aSegment({ id: 's', included: ['u1'], ...at(20) })],
});
const [, heldFlag] = snapshot.flags;
const [, heldSegment] = snapshot.segments;

describe('a push', () => {
  test('has what the snapshot holds if it still holds this version', () => {
    const pushes = pushesFor([written(flag({ key: 'f', ...at(30) }), 30), written(segment({ id: 's' }), 20)], snapshot);
    expect(pushes.map(({ source, updatedAt }) => [source, updatedAt])).toEqual([
      [heldSegment, 20],
      [heldFlag, 30],
    ]);
  });

  test('has what travelled with the change if it has been replaced', () => {
    const rules = [aRule([aCondition(IN_SEGMENT, '', '["s"]')])];
    const [push] = pushesFor([written(flag({ key: 'f', rules, ...at(10) }), 10)], snapshot);
    expect(push?.updatedAt).toBe(10);
    expect(push?.source.json).toContain(formatTimestamp(10));
    const results = ['u1', 'u2'].map(
      (user) => push?.source.kind === 'flag' && push.source.evaluate(aUser(user)).variationId,
    );
    expect(results).toEqual(['off', 'on']);
    const [older] = pushesFor([written(segment({ id: 's', included: ['u9'], ...at(5) }), 5)], snapshot);
    expect(older?.source.json).toContain('u9');
  });

  test('omits items that were replaced and too large to travel, or that cannot be read', () => {
    const replaced = written(flag({ key: 'f', ...at(10) }), 10);
    expect(pushesFor([{ ...replaced, content: () => undefined }], snapshot)).toEqual([]);
  });

  test('has what travelled with the change if the snapshot has no such item', () => {
    const rules = [aRule([aCondition(IN_SEGMENT, '', '["none"]')])];
    const pushes = pushesFor([written(flag({ key: 'new', rules }), 31), written(segment({ id: 'new' }), 32)], snapshot);
    expect(pushes.map(({ updatedAt }) => updatedAt)).toEqual([31, 32]);
    const [push] = pushes;
    expect(push?.source.kind === 'flag' && push.source.evaluate(aUser('u1')).variationId).toBe('on');
  });
});

describe('a pushed item', () => {
  const [heldAs, replaced] = [20, 19].map((version) =>
    pushesFor([written(segment({ id: 's', ...at(version) }), version)], snapshot),
  );
  const flags = [30, 15].map((version) => pushesFor([written(flag({ key: 'f', ...at(version) }), version)], snapshot));

  test('is current while the snapshot holds this version', () => {
    expect([heldAs, flags[0]].map((pushes) => pushes?.map((push) => isCurrent(push, snapshot)))).toEqual([
      [true],
      [true],
    ]);
  });

  test('is outdated once the snapshot holds another version, or none', () => {
    const none = pushesFor([written(flag({ key: 'new' }), 31), written(segment({ id: 'new' }), 32)], snapshot);
    for (const pushes of [replaced, flags[1], none]) {
      expect(pushes?.map((push) => isCurrent(push, snapshot))).toEqual(pushes?.map(() => false));
    }
  });
});
