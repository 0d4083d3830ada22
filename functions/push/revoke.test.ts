import { beforeEach, describe, expect, test } from '@jest/globals';
import { SHARDS } from '../../shared/store/connections/connection.ts';
import { DueRevocations } from '../../shared/store/connections/dueRevocations.ts';
import { keys } from '../../shared/store/table/keys.ts';
import { connect } from '../../shared/store/testing/connect.ts';
import type { Intercept } from '../../shared/store/testing/testTables.ts';
import { connection, database, output, service, useService } from '../testing/fixture.ts';
import { idsInShard } from '../testing/service.ts';
import { dueAt, type Revocation } from './revocation.ts';
import { createRevoke } from './revoke.ts';

useService();

let ended: string[];
let failing: Set<string>;
/** How long each end of a connection takes. */
let takesMs: number;

beforeEach(() => {
  [ended, failing, takesMs] = [[], new Set(), 0];
});

const revocation = (more: Partial<Revocation> = {}): Revocation => ({
  envId: service.envId,
  secretId: 'revoked',
  revokedAt: service.effects.now(),
  pass: 0,
  shard: 0,
  ...more,
});

function revoke(
  work: Revocation,
  { remainingMs = 60_000, intercept }: { remainingMs?: number; intercept?: Intercept } = {},
) {
  const handler = createRevoke({
    connections: database.open(service.effects, intercept).connections,
    revocations: revocations(),
    ender: {
      end: async (id) => {
        if (failing.has(id)) throw new Error('too many requests');
        service.effects.clock.now += takesMs;
        ended.push(id);
      },
    },
    now: service.effects.now,
    pause: async (ms) => {
      service.effects.clock.now += ms;
    },
  });
  return handler({ Records: [{ body: JSON.stringify(work) }] }, { getRemainingTimeInMillis: () => remainingMs });
}

const revocations = () => new DueRevocations(service.store.connections.table);

/** The revocations that heal takes once time has passed. */
async function later(ms: number): Promise<Revocation[]> {
  const due: Revocation[] = [];
  service.effects.clock.now += ms;
  await revocations().take(async (each: Revocation) => {
    if (each.envId === service.envId) due.push(each);
  });
  return due;
}

const register = (id: string, secretId: string | undefined) =>
  connect(service.store.connections, service.envId, {
    id,
    type: 'server',
    secretId,
    requestedAt: service.effects.now(),
  });

describe('the end of a secret', () => {
  test('ends its connections in every part of the environment, and leaves all others', async () => {
    const own = Array.from({ length: SHARDS }, (_, shard) => idsInShard(shard, 2)).flat();
    for (const id of own) await register(id, 'revoked');
    await register('other', 'active');
    await register('older', undefined);
    await revoke(revocation());
    expect(ended.toSorted()).toEqual(own.toSorted());
    expect(await connection(own[0])).toBeUndefined();
    for (const id of ['other', 'older']) expect(await connection(id)).toBeDefined();
  });

  test('is logged with how many connections it closed, where it closed any', async () => {
    for (const id of idsInShard(3, 12)) await register(id, 'revoked');
    await revoke(revocation());
    expect(output.lines()).toMatchObject([
      { message: 'connections of a revoked secret closed', envId: service.envId, closed: 12 },
    ]);
  });

  test('reads each part of the environment once', async () => {
    const partitions: unknown[] = [];
    const intercept: Intercept = ({ name, input }, next) => {
      if (name === 'Query') partitions.push(input.ExpressionAttributeValues[':pk']);
      return next();
    };
    await revoke(revocation(), { intercept });
    expect(partitions).toEqual(Array.from({ length: SHARDS }, (_, shard) => keys.cursor(service.envId, shard).pk));
  });

  test('is looked after no more once its last pass is done', async () => {
    await register('c', 'revoked');
    await revoke(revocation({ pass: 15 }));
    expect([ended, await later(86_400_000)]).toEqual([[], []]);
  });

  test('is awaited if it is in the future', async () => {
    await register('c', 'revoked');
    const work = revocation({ revokedAt: service.effects.now() + 86_400_000 });
    await revoke(work);
    expect([ended, await later(86_399_999), await later(1), await later(1)]).toEqual([[], [], [work], []]);
  });

  test('is repeated until no new connection can come without a data-sync', async () => {
    /** When connections were looked through, after the first time. */
    const passes: number[] = [];
    const beganAt = service.effects.now();
    let work: Revocation | undefined = revocation();
    for (let round = 0; work; round++) {
      await register(`late-${round}`, 'revoked');
      await revoke(work);
      expect(ended).toHaveLength(round + 1);
      const next: Revocation = { ...work, pass: work.pass + 1 };
      [work] = await later((dueAt(next) ?? 0) - service.effects.now());
      if (work) passes.push(service.effects.now() - beganAt);
    }
    expect(passes.slice(0, 2)).toEqual([45_000, 600_000]);
    expect(passes.at(-1)).toBe(130 * 60_000);
    expect(dueAt(revocation({ pass: passes.length + 1 }))).toBeUndefined();
  });

  test('takes no more than two hundred a second', async () => {
    for (const id of idsInShard(0, 60)) await register(id, 'revoked');
    const beganAt = service.effects.now();
    await revoke(revocation());
    expect(ended).toHaveLength(60);
    expect(service.effects.now() - beganAt).toBe(300);
  });

  test('ends no more connections once half of the call’s time is over', async () => {
    for (const id of idsInShard(0, 40)) await register(id, 'revoked');
    await revoke(revocation(), { remainingMs: 100 });
    expect(ended).toHaveLength(20);
    expect(await later(0)).toMatchObject([{ pass: 0, shard: 0 }]);
  });

  test('goes on in another call where time runs out, and ends nobody twice', async () => {
    const ids = idsInShard(3, 40);
    for (const id of ids) await register(id, 'revoked');
    takesMs = 2_000;
    await revoke(revocation());
    expect(ended.length).toBeGreaterThan(0);
    expect(ended.length).toBeLessThan(40);
    const [rest] = await later(0);
    expect(rest).toEqual(revocation({ revokedAt: expect.any(Number) as never, shard: 3 }));
    takesMs = 0;
    await revoke(rest as Revocation);
    expect(ended.toSorted()).toEqual(ids.toSorted());
  });

  test('fails if connections cannot be ended now, and is done by the next attempt', async () => {
    for (const id of ['a', 'b']) await register(id, 'revoked');
    failing.add('a');
    await expect(revoke(revocation())).rejects.toThrow('too many requests');
    expect(await connection('a')).toBeDefined();
    failing.clear();
    await revoke(revocation());
    expect(ended.filter((id) => id === 'a')).toHaveLength(1);
    expect(await connection('a')).toBeUndefined();
  });
});
