import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { PatchContents } from '../../shared/delivery/sdk.ts';
import type { Document } from '../../shared/flags/document.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import { IN_SEGMENT } from '../../shared/flags/rule.ts';
import type { Connection } from '../../shared/store/connections/connection.ts';
import { type Intercept, writeUnchecked } from '../../shared/store/testing/testTables.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../shared/testing/builders.ts';
import {
  connection,
  database,
  output,
  sender,
  service,
  skippingPauses,
  stepOf,
  useService,
} from '../testing/fixture.ts';
import { dataSync, messageEvent, snapshotsOf } from '../testing/service.ts';
import { createSync } from './sync.ts';

useService();

/** Writes a flag with a value of so many bytes, which do not compress. @returns its version */
async function put(key: string, name = '', bytes = 10): Promise<number> {
  const value = randomBytes(bytes).toString('hex').slice(0, bytes);
  const flag = aFlag({ key, name, variations: [{ id: 'on', value }] });
  const [written] = await writeUnchecked(service.store, service.envId, { kind: 'flag', document: flag });
  return written?.updatedAt ?? 0;
}

/** What a push does that meets a connection which is being answered. */
const leave = async (version: number, isRepeat = false) =>
  service.store.connections.states.leave(service.envId, (await connection()) as Connection, version, isRepeat);

interface Interference {
  /** Comes before each message is sent. */
  readonly onPost?: (nth: number) => Promise<unknown>;
  readonly intercept?: Intercept;
  readonly timestamp?: number;
  readonly patchContents?: PatchContents;
}

/** Asks for everything as a server. */
async function ask({ onPost, intercept, timestamp = 0, patchContents }: Interference = {}) {
  let nth = 0;
  const sync = createSync({
    ...database.open(service.effects, intercept),
    snapshots: snapshotsOf(service, intercept),
    sender: {
      post: async (to, text) => {
        await onPost?.(++nth);
        return sender.post(to, text);
      },
    },
    effects: skippingPauses(),
  });
  await sync(messageEvent(service, { type: 'server', body: dataSync(timestamp), patchContents }));
}

/** The messages that went out: event type and the flags' keys, named ones with their names. */
function messages(): string[] {
  return sender.to('c').map(({ data: { eventType, featureFlags } }) => {
    const flags = featureFlags.map((flag: { key: string; name: string }) => flag.key + flag.name);
    return `${eventType} ${flags}`;
  });
}

describe('a change that lands', () => {
  test('is in the answer if it comes between registration and reading', async () => {
    await put('a');
    let isWritten = false;
    await ask({
      intercept: async (call, send) => {
        if (call.name === 'GetItem' && !isWritten) {
          isWritten = true;
          expect(await leave(await put('b'))).toBe(true);
        }
        return send();
      },
    });
    expect(messages()).toEqual(['full a,b']);
  });

  test.each(['while the answer is posted', 'just before it is finished'])(
    '%s is left to its sender by the push, and follows the answer',
    async (when) => {
      await put('a');
      let version = 0;
      const write = async () => {
        if (version > 0) return;
        version = await put('b');
        expect(await leave(version)).toBe(true);
      };
      await ask({
        onPost: async (nth) => nth === 1 && when.startsWith('while') && write(),
        intercept: async (call, send) => {
          if (stepOf(call) === 'finish') await write();
          return send();
        },
      });
      expect(messages()).toEqual(['full a', 'patch b']);
      expect(await connection()).toMatchObject({ state: { kind: 'current', version } });
    },
  );

  test('just after it was finished is not left to it: the push goes to the connection', async () => {
    const version = await put('a');
    await ask();
    expect(await leave(version + 1)).toBe(false);
    expect(await connection()).toMatchObject({ state: { kind: 'current', version } });
  });

  test('is not pushed by anybody else until API Gateway has taken the whole answer', async () => {
    await put('a');
    const states: unknown[] = [];
    await ask({ onPost: async () => states.push((await connection())?.state) });
    expect(states).toEqual([{ kind: 'answering', leaseUntil: service.effects.now() + 30_000 }]);
  });

  test('repeats the answer in full if it may have been sent for an earlier user', async () => {
    await put('a');
    await ask({ onPost: async (nth) => nth === 1 && leave(await put('b'), true) });
    expect(messages()).toEqual(['full a', 'full a,b']);
  });
});

describe('an answer that is too large for one message', () => {
  beforeEach(async () => {
    // 50 KB each on the wire, two of which fit a message.
    for (const key of ['a', 'b', 'c', 'd']) await put(key, '', 50_000);
  });

  test('goes out as its oldest part and patches of one flag', async () => {
    await ask();
    expect(messages()).toEqual(['full a,b', 'patch c', 'patch d']);
  });

  test('goes out in as few messages as carry it to an SDK that takes more in one', async () => {
    await ask({ patchContents: 'any' });
    expect(messages()).toEqual(['full a,b', 'patch c,d']);
    await service.store.documents.writeSegment(service.envId, 's', () => aSegment({ id: 's' }));
    await put('e', '', 50_000);
    sender.sent.length = 0;
    await ask({ patchContents: 'one-kind' });
    expect(messages()).toEqual(['full a,b', 'patch c,d', 'patch ', 'patch e']);
  });

  test('is followed by what pushes have left meanwhile, each once and in order', async () => {
    let last = 0;
    await ask({
      onPost: async (nth) => {
        if (nth === 1) await leave(await put('b', '-new'));
        if (nth === 3) await leave(await put('e'));
        if (nth !== 5) return;
        last = await put('a', '-new');
        await leave(last);
      },
    });
    expect(messages()).toEqual(['full a,b', 'patch c', 'patch d', 'patch b-new', 'patch e', 'patch a-new']);
    expect(await connection()).toMatchObject({ state: { kind: 'current', version: last } });
  });

  test('is the missed changes for an SDK that returns, one flag a message', async () => {
    const timestamp = await put('a', '-seen', 50_000);
    await put('b', '-new', 50_000);
    await put('e', '', 50_000);
    await ask({ timestamp });
    expect(messages()).toEqual(['patch b-new', 'patch e']);
  });

  test('ends where the connection is gone', async () => {
    await ask({ onPost: async (nth) => nth === 2 && sender.gone.add('c') });
    expect(messages()).toEqual(['full a,b']);
    expect(output.text()).toBe('');
  });

  test.each([
    ['failing', 'holds no lease', () => ({ kind: 'waiting' })],
    [
      'uncertain',
      'keeps its lease',
      () => ({ kind: 'answering', leaseUntil: service.effects.now() + 30_000, sentTo: expect.any(Number) }),
    ],
  ] as const)('is left to healing if a post is %s, and %s', async (outcome, _, state) => {
    await ask({ onPost: async (nth) => nth === 3 && sender[outcome].add('c') });
    expect(messages()).toEqual(['full a,b', 'patch c']);
    expect(output.lines()).toEqual([expect.objectContaining({ level: 'ERROR', message: 'data-sync failed' })]);
    expect((await connection())?.state).toMatchObject(state());
    expect(await service.store.connections.unanswered.load(10)).toMatchObject([{ id: 'c' }]);
  });

  test('leaves out what became too large for any message meanwhile', async () => {
    await ask({
      onPost: async (nth) => {
        if (nth === 1) await leave(await put('a', '-huge', 140_000));
        if (nth === 2) await leave(await put('b', '-new'));
      },
    });
    expect(messages()).toEqual(['full a,b', 'patch c', 'patch d', 'patch b-new']);
  });
});

test('an answer omits a segment that no message can carry, and flags that reach it', async () => {
  const included = Array.from({ length: 6_000 }, (_, n) => `user-${n}`.padEnd(33, '.'));
  const write = (document: Document) => writeUnchecked(service.store, service.envId, document);
  const inSegment = (key: string, id: string, fields: Partial<Flag> = {}) =>
    write({
      kind: 'flag',
      document: aFlag({
        key,
        name: '',
        rules: [aRule([aCondition(IN_SEGMENT, null, JSON.stringify([id]))])],
        ...fields,
      }),
    });
  await write({ kind: 'segment', document: aSegment({ id: 'big', included }) });
  await write({ kind: 'segment', document: aSegment({ id: 'unused' }) });
  await inSegment('reaches', 'big');
  await inSegment('off', 'big', { isEnabled: false });
  await inSegment('archived', 'big', { isArchived: true });
  await inSegment('other', 'unused');
  await ask();
  expect(messages()).toEqual(['full off,archived,other']);
  expect(sender.to('c')[0]?.data.segments.map(({ id }: { id: string }) => id)).toEqual(['unused']);
  expect(await connection()).toMatchObject({ state: { kind: 'current' } });
});

describe('a table that fails', () => {
  test.each(['begin', 'GetItem', 'Query', 'finish'])(
    'delays the answer if it fails at %s and recovers',
    async (failing) => {
      await put('f');
      let failures = 0;
      await ask({
        intercept: async (call, send) => {
          if (stepOf(call) === failing && failures++ < 2) throw new Error('throttled');
          return send();
        },
      });
      expect(messages()).toEqual(['full f']);
      expect(await connection()).toMatchObject({ state: { kind: 'current' } });
    },
  );

  test('leads to silence and an error in the log if it fails for too long', async () => {
    const before = service.effects.now();
    await ask({
      intercept: async () => {
        throw new Error('throttled');
      },
    });
    expect(messages()).toEqual([]);
    expect(output.lines()).toEqual([expect.objectContaining({ level: 'ERROR', message: 'data-sync failed' })]);
    expect(service.effects.now() - before).toBeLessThanOrEqual(20_000);
  });

  test('is not asked again if the environment does not exist', async () => {
    let reads = 0;
    const { envId } = service;
    await service.store.environments.remove(await service.store.environments.find(envId));
    await ask({
      intercept: ({ name }, send) => {
        if (name === 'GetItem') reads++;
        return send();
      },
    });
    expect([reads, messages()]).toEqual([1, []]);
  });
});
