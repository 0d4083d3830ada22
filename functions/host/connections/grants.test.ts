import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SecretGrant } from '../../../shared/store/environments/secrets.ts';
import { TestTransport } from '../testing/transport.ts';
import { Grants } from './grants.ts';

const GRANT: SecretGrant = { envId: 'env', type: 'client' };
const ENDED = '4003 invalid request, close by server';

let now: number;
/** The table's content. Undefined while it is unreachable. */
let table: Map<string, SecretGrant> | undefined;
/** The secrets that were looked up. */
let lookUps: string[];
let refused: string[];
let failures: unknown[];
let grants: Grants;

beforeEach(() => {
  now = 1_000_000;
  table = new Map();
  [lookUps, refused, failures] = [[], [], []];
  grants = new Grants({
    secrets: {
      find: async (secret) => {
        lookUps.push(secret);
        await turn();
        if (!table) throw new Error('the table is away');
        return table.get(secret);
      },
    },
    now: () => now,
    events: { onRefused: (reason) => refused.push(reason), onFailed: (error) => failures.push(error) },
  });
});

/** Connects with a secret that is in the table. */
function connect(secret: string, grant = GRANT) {
  table?.set(secret, grant);
  const transport = new TestTransport();
  const release = grants.hold({ secret, grant }, transport);
  return { transport, release: () => release(transport) };
}

/** Advances the clock, with one check each second. */
async function pass(seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n++) {
    now += 1_000;
    grants.check();
    for (let turns = 0; turns < 5; turns++) await turn();
  }
}

test('checks secrets every second while they are watched', () => {
  jest.useFakeTimers();
  try {
    const { transport } = connect('s', { ...GRANT, revokedAt: now + 2_000 });
    grants.watch();
    jest.advanceTimersByTime(1_000);
    now += 2_000;
    expect(transport.ended).toBeUndefined();
    jest.advanceTimersByTime(1_000);
    expect(transport.ended).toBe(ENDED);
    grants.stop();
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});

describe('connections of a secret', () => {
  test.each<[string, () => void]>([
    ['was revoked or is unknown', () => table?.delete('s')],
    ['is found to have been revoked', () => table?.set('s', { ...GRANT, revokedAt: now })],
    ['comes to an end that was set before', () => table?.set('s', { ...GRANT, revokedAt: now + 10_000 })],
  ])('are ended with 4003 if the secret %s, and no others', async (_, revoke) => {
    const [one, two, other] = [connect('s'), connect('s'), connect('t')];
    await pass(15);
    expect([one, two, other].map(({ transport }) => transport.ended)).toEqual([undefined, undefined, undefined]);
    revoke();
    await pass(16);
    expect([one, two, other].map(({ transport }) => transport.ended)).toEqual([ENDED, ENDED, undefined]);
    await pass(60);
    expect(refused).toEqual(Array(2).fill('the secret was revoked'));
  });

  test('are ended at the known end without another look at the table', async () => {
    const { transport } = connect('s', { ...GRANT, revokedAt: now + 5_000 });
    await pass(4);
    expect(transport.ended).toBeUndefined();
    await pass(1);
    expect([transport.ended, lookUps]).toEqual([ENDED, []]);
  });

  test('go by what the last of them was let in with', async () => {
    const first = connect('s');
    const second = connect('s', { ...GRANT, revokedAt: now + 5_000 });
    await pass(5);
    expect([first.transport.ended, second.transport.ended, lookUps]).toEqual([ENDED, ENDED, []]);
  });

  test('stay while the table is away, but not beyond the end that was known', async () => {
    const [lasting, ending] = [connect('s'), connect('t', { ...GRANT, revokedAt: now + 60_000 })];
    table = undefined;
    await pass(59);
    expect([lasting.transport.ended, ending.transport.ended]).toEqual([undefined, undefined]);
    await pass(300);
    expect([lasting.transport.ended, ending.transport.ended]).toEqual([undefined, ENDED]);
    expect(failures.length).toBeGreaterThan(10);
    table = new Map();
    await pass(16);
    expect(lasting.transport.ended).toBe(ENDED);
  });

  test('follow a renewed grant', async () => {
    const { transport } = connect('s', { ...GRANT, revokedAt: now + 20_000 });
    table?.set('s', GRANT);
    await pass(60);
    expect(transport.ended).toBeUndefined();
  });

  test('are ended also when the wall clock is set back by an hour', async () => {
    const { transport } = connect('s');
    now -= 3_600_000;
    table?.clear();
    await pass(2);
    expect(transport.ended).toBe(ENDED);
  });
});

describe('looking secrets up again', () => {
  test('takes one look-up a secret and period, however many are connected with it', async () => {
    for (let n = 0; n < 100; n++) for (const secret of ['s', 't']) connect(secret);
    await pass(61);
    expect(lookUps.toSorted()).toEqual([...Array(4).fill('s'), ...Array(4).fill('t')]);
  });

  test('ends with the last connection of a secret', async () => {
    const [one, two] = [connect('s'), connect('s')];
    one.release();
    await pass(16);
    expect(lookUps).toHaveLength(1);
    two.release();
    await pass(60);
    expect(lookUps).toHaveLength(1);
  });

  test('is not done for a secret whose last connection ended while it waited', async () => {
    const connections = Array.from({ length: 60 }, (_, n) => connect(`s${n}`));
    now += 15_000;
    grants.check();
    connections[59]?.release();
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(lookUps).toHaveLength(59);
  });

  test('is done for 16 at a time, and for every one in the end', async () => {
    for (let n = 0; n < 120; n++) connect(`s${n}`);
    now += 15_000;
    grants.check();
    grants.check();
    expect(lookUps).toHaveLength(16);
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(new Set(lookUps).size).toBe(120);
    expect(lookUps).toHaveLength(120);
  });
});

test('many connections are ended in slices, between which everybody else has a turn', async () => {
  const transports = Array.from({ length: 5_000 }, () => connect('s').transport);
  table?.clear();
  now += 15_000;
  grants.check();
  const ended = () => transports.filter((transport) => transport.ended === ENDED).length;
  let before = 0;
  while (before < 5_000) {
    await turn();
    expect(ended() - before).toBeLessThanOrEqual(200);
    before = ended();
  }
});
