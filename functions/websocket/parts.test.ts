import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { PatchContents } from '../../shared/delivery/sdk.ts';
import type { Connection } from '../../shared/store/connection.ts';
import type { Call, Intercept } from '../../shared/store/testing/testTables.ts';
import { aFlag, aSegment } from '../../shared/testing/builders.ts';
import { database, output, sender, service, stepOf, useService } from '../testing/fixture.ts';
import { dataSync, messageEvent, snapshotsOf } from '../testing/service.ts';
import { createSync } from './sync.ts';

useService();
beforeEach(async () => {
  for (const key of ['a', 'b', 'c', 'd']) await put(key);
});

/** Writes a flag that takes 50 KB on the wire, two of which fit a message. */
async function put(key: string, name = '', bytes = 50_000): Promise<number> {
  const value = randomBytes(bytes).toString('hex').slice(0, bytes);
  const flag = aFlag({ key, name, variations: [{ id: 'on', value }] });
  const [written] = await service.store.documents.writeFlag(service.envId, key, () => flag);
  return written?.updatedAt ?? 0;
}

const connection = () => service.store.connections.find(service.envId, 'c') as Promise<Connection>;

interface Interference {
  readonly onPost?: (nth: number) => Promise<unknown>;
  readonly intercept?: Intercept;
  readonly timestamp?: number;
  readonly patchContents?: PatchContents;
}

/** Asks for everything as a server; `onPost` comes before each message is sent. */
async function ask({ onPost, intercept, timestamp = 0, patchContents }: Interference = {}) {
  let nth = 0;
  const sync = createSync({
    ...database.open(service.effects, intercept),
    snapshots: snapshotsOf(service),
    sender: {
      post: async (to, text) => {
        await onPost?.(++nth);
        return sender.post(to, text);
      },
    },
    now: service.effects.now,
    pause: async () => {},
  });
  return sync(messageEvent(service, { type: 'server', body: dataSync(timestamp), patchContents }));
}

/** Whether a call ends the connection's being busy. */
const ends = (call: Call) => stepOf(call) === 'note' && call.input.UpdateExpression.includes('REMOVE');

/** The messages that went out: event type and the flags' keys, named ones with their names. */
function messages(): string[] {
  return sender.to('c').map(({ data: { eventType, featureFlags } }) => {
    const flags = featureFlags.map((flag: { key: string; name: string }) => flag.key + flag.name);
    return `${eventType} ${flags}`;
  });
}

describe('an answer that is too large for one message', () => {
  test('goes out as its oldest part and patches of one flag, and the route answers nothing', async () => {
    expect(await ask()).toEqual({ statusCode: 200 });
    expect(messages()).toEqual(['full a,b', 'patch c', 'patch d']);
  });

  test('goes out in as few messages as carry it to an SDK that takes more in one', async () => {
    expect(await ask({ patchContents: 'any' })).toEqual({ statusCode: 200 });
    expect(messages()).toEqual(['full a,b', 'patch c,d']);
    await service.store.documents.writeSegment(service.envId, 's', () => aSegment({ id: 's' }));
    await put('e');
    sender.sent.length = 0;
    await ask({ patchContents: 'one-kind' });
    expect(messages()).toEqual(['full a,b', 'patch c,d', 'patch ', 'patch e']);
  });

  test('keeps pushes away while it goes out, and not after', async () => {
    const busy: (number | undefined)[] = [];
    await ask({ onPost: async () => busy.push((await connection()).busyUntil) });
    expect(busy).toEqual([1, 2, 3].map(() => service.effects.now() + 30_000));
    const { snapshot } = await snapshotsOf(service).read(service.envId);
    expect(await connection()).toMatchObject({ version: snapshot.version });
    expect(await connection()).not.toHaveProperty('busyUntil');
  });

  test('is followed by what was written meanwhile, each once and in order', async () => {
    let last = 0;
    await ask({
      onPost: async (nth) => {
        if (nth === 1) await put('b', '-new');
        if (nth === 3) await put('e');
        if (nth === 5) last = await put('a', '-new');
      },
    });
    expect(messages()).toEqual(['full a,b', 'patch c', 'patch d', 'patch b-new', 'patch e', 'patch a-new']);
    expect(await connection()).toMatchObject({ version: last });
  });

  test('holds a change whose push came just before it ended', async () => {
    let updates = 0;
    await ask({
      intercept: async (call, send) => {
        if (stepOf(call) === 'note' && ++updates === 1) {
          const version = await put('a', '-late');
          expect(await service.store.connections.leaveToSender(service.envId, await connection(), version)).toBe(true);
        }
        return send();
      },
    });
    expect(messages()).toEqual(['full a,b', 'patch c', 'patch d', 'patch a-late']);
    expect(updates).toBe(2);
    expect(await connection()).not.toHaveProperty('busyUntil');
  });

  test('leaves a change whose push comes just after it ended to that push', async () => {
    let version = 0;
    await ask({
      intercept: async (call, send) => {
        if (ends(call)) version = await put('a', '-late');
        return send();
      },
    });
    expect(messages()).toEqual(['full a,b', 'patch c', 'patch d']);
    expect((await connection()).version).toBeLessThan(version);
  });

  test('to an SDK that comes back is what it has missed, one flag a message', async () => {
    const timestamp = await put('a', '-seen');
    await put('b', '-new');
    await put('e');
    await ask({ timestamp });
    expect(messages()).toEqual(['patch b-new', 'patch e']);
  });

  test('ends where the connection is gone', async () => {
    await ask({
      onPost: async (nth) => {
        if (nth === 2) sender.gone.add('c');
      },
    });
    expect(messages()).toEqual(['full a,b']);
    expect(output.text()).toBe('');
  });

  test('that breaks off is noted as such, so that the next change brings the rest', async () => {
    await ask({
      onPost: async (nth) => {
        if (nth === 3) sender.failing.add('c');
      },
    });
    expect(messages()).toEqual(['full a,b', 'patch c']);
    expect(output.lines()).toEqual([expect.objectContaining({ level: 'ERROR', message: 'data-sync failed' })]);
    expect(await connection()).toMatchObject({ busyUntil: service.effects.now() + 30_000 });
    expect(await connection()).not.toHaveProperty('version');
  });

  test('goes on when the table fails for a moment', async () => {
    let failures = 0;
    await ask({
      intercept: async (call, send) => {
        if (ends(call) && failures++ < 2) {
          throw new Error('throttled');
        }
        return send();
      },
    });
    expect(messages()).toHaveLength(3);
    expect(await connection()).not.toHaveProperty('busyUntil');
  });

  test('ends where the connection has asked again, before the next part', async () => {
    await ask({
      onPost: async (nth) => {
        if (nth !== 2) return;
        const registration = { ...(await connection()), requestedAt: service.effects.now() + 1 };
        await service.store.connections.register(service.envId, registration);
        service.effects.clock.now += 250;
      },
    });
    expect(messages()).toEqual(['full a,b', 'patch c']);
    expect(await connection()).not.toHaveProperty('version');
    expect(output.text()).toBe('');
  });

  test('looks at the connection once a quarter second, and not between all its parts', async () => {
    const looks: number[] = [];
    let sent = 0;
    await ask({
      onPost: async (nth) => {
        sent = nth;
        if (nth === 2) service.effects.clock.now += 250;
      },
      intercept: async (call, send) => {
        if (call.name === 'GetItem' && call.input.TableName.startsWith('Connections')) looks.push(sent);
        return send();
      },
    });
    expect(sent).toBe(3);
    expect(looks).toEqual([0, 2]);
  });

  test('is followed by what a push has left to be repeated, with all that came after', async () => {
    let first = 0;
    await ask({
      onPost: async (nth) => {
        if (nth === 1) first = await put('b', '-new');
        if (nth === 4)
          await service.store.connections.leaveToSender(service.envId, await connection(), first, first - 1);
        if (nth === 4) await put('e');
      },
    });
    expect(messages()).toEqual(['full a,b', 'patch c', 'patch d', 'patch b-new', 'patch e', 'patch b-new', 'patch e']);
    expect(await connection()).not.toHaveProperty('repeatAfter');
    expect(await connection()).not.toHaveProperty('busyUntil');
  });

  test('leaves out what became too large for any message meanwhile, and says so', async () => {
    await ask({
      onPost: async (nth) => {
        if (nth === 1) await put('a', '-huge', 140_000);
        if (nth === 2) await put('b', '-new');
      },
    });
    expect(messages()).toEqual(['full a,b', 'patch c', 'patch d', 'patch b-new']);
    expect(output.lines()).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('change not pushed'), kind: 'flag', id: 'a' }),
    );
  });
});

test('an answer with an item that no message can carry is not begun, and pushes stay away for good', async () => {
  await put('huge', '', 140_000);
  expect(await ask()).toEqual({ statusCode: 200 });
  expect(messages()).toEqual([]);
  expect(output.lines()).toEqual([
    expect.objectContaining({
      level: 'WARN',
      reason: expect.stringMatching(/flag "huge" takes \d+ bytes in a message, more than the 131072 bytes/),
    }),
  ]);
  expect((await connection()).busyUntil).toBe(Number.MAX_SAFE_INTEGER);
});
