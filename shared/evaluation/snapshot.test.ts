import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Flag } from '../flags/flag.ts';
import { IN_SEGMENT } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';
import { aCondition, aFlag, aRule, aSegment, aUser } from '../testing/builders.ts';
import { formatInvalidCondition } from './invalidCondition.ts';
import { compileSnapshot, type Snapshot } from './snapshot.ts';

const at = (second: number) => `2024-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const beta = aSegment({ id: 'beta', included: ['u1'], updatedAt: at(1) });
const staff = aSegment({ id: 'staff', updatedAt: at(2) });
const forBeta = aFlag({
  key: 'for-beta',
  rules: [aRule([aCondition(IN_SEGMENT, null, '["beta"]')])],
  updatedAt: at(3),
});
const plain = aFlag({ key: 'plain', updatedAt: at(4) });

function snapshot(fields: Partial<Parameters<typeof compileSnapshot>[0]> = {}, previous?: Snapshot): Snapshot {
  const source = { envId: 'env', version: 4, flags: [forBeta, plain], segments: [beta, staff], ...fields };
  return compileSnapshot(source, previous);
}

const flagOf = (from: Snapshot, key: string) => from.flags.find((flag) => flag.document.key === key);
const segmentOf = (from: Snapshot, id: string) => from.segments.find((segment) => segment.document.id === id);
const valueFor = (from: Snapshot, key: string, keyId: string) => flagOf(from, key)?.evaluate(aUser(keyId)).value;

describe('compileSnapshot', () => {
  test('says which environment and version it is of', () => {
    expect(snapshot({ version: 1704067204000 })).toMatchObject({
      envId: 'env',
      version: 1704067204000,
      missingAttribute: 'empty',
      invalidConditions: [],
    });
  });

  test('orders flags and segments by updatedAt, archived ones included', () => {
    const flags: Flag[] = [plain, { ...aFlag({ key: 'gone', isArchived: true, updatedAt: at(9) }) }, forBeta];
    const segments: Segment[] = [staff, aSegment({ id: 'old', isArchived: true, updatedAt: at(0) }), beta];
    const { flags: compiled, segments: compiledSegments } = snapshot({ flags, segments });
    expect(compiled.map((flag) => flag.document.key)).toEqual(['for-beta', 'plain', 'gone']);
    expect(compiledSegments.map((segment) => segment.document.id)).toEqual(['old', 'beta', 'staff']);
  });

  test('an environment may be empty', () => {
    expect(snapshot({ version: 0, flags: [], segments: [] })).toMatchObject({
      flags: [],
      segments: [],
      invalidConditions: [],
    });
  });
});

describe('compileSnapshot with the previous snapshot', () => {
  let previous: Snapshot;
  beforeEach(() => {
    previous = snapshot();
  });

  test('takes over what has not changed', () => {
    const next = snapshot({ flags: [structuredClone(forBeta), structuredClone(plain)] }, previous);
    expect(next.flags).toEqual(previous.flags);
    next.flags.forEach((flag, index) => {
      expect(flag).toBe(previous.flags[index]);
    });
    expect(segmentOf(next, 'beta')).toBe(segmentOf(previous, 'beta'));
  });

  test('compiles a changed flag, and no other', () => {
    const next = snapshot({ flags: [forBeta, { ...plain, isEnabled: false, updatedAt: at(5) }] }, previous);
    expect(valueFor(next, 'plain', 'u1')).toBe('false');
    expect(flagOf(next, 'for-beta')).toBe(flagOf(previous, 'for-beta'));
  });

  test('compiles a flag again when its segment changed, even if its own document did not', () => {
    const next = snapshot({ segments: [{ ...beta, included: ['u2'], updatedAt: at(6) }, staff] }, previous);
    expect(flagOf(next, 'for-beta')).not.toBe(flagOf(previous, 'for-beta'));
    expect([valueFor(next, 'for-beta', 'u1'), valueFor(next, 'for-beta', 'u2')]).toEqual(['true', 'false']);
    expect(flagOf(next, 'plain')).toBe(flagOf(previous, 'plain'));
    expect([valueFor(previous, 'for-beta', 'u1'), valueFor(previous, 'for-beta', 'u2')]).toEqual(['false', 'true']);
  });

  test('compiles a flag again when its segment has gone or come', () => {
    const without = snapshot({ segments: [staff] }, previous);
    expect(valueFor(without, 'for-beta', 'u1')).toBe('true');
    expect(without.invalidConditions).toEqual([
      {
        kind: 'flag',
        id: 'for-beta',
        path: 'rules[0].conditions[0]',
        message: 'refers to segments that do not exist: ["beta"]',
      },
    ]);
    const back = snapshot({}, without);
    expect(valueFor(back, 'for-beta', 'u1')).toBe('false');
    expect(back.invalidConditions).toEqual([]);
  });

  test('drops what is no longer there', () => {
    const next = snapshot({ flags: [plain], segments: [] }, previous);
    expect(next.flags).toEqual([flagOf(previous, 'plain')]);
    expect(next.segments).toEqual([]);
  });

  test('compiles everything again when missing attributes are to be read differently', () => {
    const next = snapshot({ missingAttribute: 'no-match' }, previous);
    for (const key of ['for-beta', 'plain']) expect(flagOf(next, key)).not.toBe(flagOf(previous, key));
    for (const id of ['beta', 'staff']) expect(segmentOf(next, id)).not.toBe(segmentOf(previous, id));
  });

  test('does not report again what it took over', () => {
    const broken = aFlag({ key: 'broken', rules: [aRule([aCondition('x', 'Nope', 'x')])], updatedAt: at(5) });
    const first = snapshot({ flags: [broken] });
    expect(first.invalidConditions).toHaveLength(1);
    expect(snapshot({ flags: [broken, plain] }, first).invalidConditions).toEqual([]);
  });

  test('holds on to nothing of earlier snapshots but what it took over', async () => {
    const changed = (second: number) => [forBeta, { ...plain, updatedAt: at(second) }];
    let current = snapshot();
    const replaced: WeakRef<object>[] = [];
    for (let second = 10; second < 15; second++) {
      replaced.push(new WeakRef(current), new WeakRef(flagOf(current, 'plain') as object));
      current = snapshot({ flags: changed(second) }, current);
    }
    await setImmediate();
    setFlagsFromString('--expose-gc');
    runInNewContext('gc()');
    expect(replaced.map((reference) => reference.deref())).toEqual(replaced.map(() => undefined));
    expect(valueFor(current, 'for-beta', 'u1')).toBe('false');
  });
});

test('a invalidCondition is one line, which names what it is of and where', () => {
  const never = { kind: 'flag', id: 'f', path: 'rules[0].conditions[1]', message: 'never matches: …' } as const;
  expect(formatInvalidCondition(never)).toBe('flag "f" rules[0].conditions[1] never matches: …');
  const unread = { kind: 'segment', id: 's', path: '', message: 'cannot be read: it is no object' } as const;
  expect(formatInvalidCondition(unread)).toBe('segment "s" cannot be read: it is no object');
});
