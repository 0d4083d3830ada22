import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { heartbeatKey, machineHealthKey, tierKey } from '../../shared/store/table/keys.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { deleteItem } from '../../shared/store/table/write.ts';
import { store, useStore } from '../../shared/store/testing/testStore.ts';
import { testEffects } from '../../shared/store/testing/testTables.ts';
import { Tiers } from '../../shared/store/tiers.ts';
import { useFakeApi } from '../../shared/testing/fakeApi.ts';
import type { TierCounts } from '../../shared/tier/tier.ts';
import type { ChangeEvent } from '../events/changeEvent.ts';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { PlayedEc2 } from '../testing/playedEc2.ts';
import { Ec2Machine } from './ec2Machine.ts';
import { runTier, type TierDeps } from './runTier.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const effects = testEffects(Date.UTC(2026, 10, 28));
useStore(effects);

let ec2: PlayedEc2;
let counts: TierCounts | Error;
let events: ChangeEvent[];
let hints: string[];
/** Whether the host writes heartbeats while its machine runs. */
let isBeating: boolean;
let output: CapturedOutput;
const counted: number[] = [];
const fake = useFakeApi((request, response) => ec2.answer(request, response));

beforeEach(async () => {
  for (const key of [tierKey, machineHealthKey, heartbeatKey]) await deleteItem(flagsTable(), key);
  ec2 = new PlayedEc2('running', effects.now);
  counts = { gateway: 0, host: 0 };
  events = [];
  hints = [];
  isBeating = true;
  output = captureOutput();
});
afterEach(() => output.release());

const flagsTable = () => ({ client: store.tables.client, name: store.tables.flags, effects });
/** A client of a table that cannot be reached. */
function unreachable() {
  const client = createDynamoDb();
  client.middlewareStack.add(() => () => Promise.reject(new Error('unreachable')), { step: 'initialize' });
  return client;
}
const keys = async () => ({ accessKeyId: 'local', secretAccessKey: 'key' });
const deps = (): TierDeps => ({
  tiers: store.tiers,
  records: store.machine,
  machine: new Ec2Machine({ endpoint: fake.endpoint, region: 'eu-west-1', keys }, PlayedEc2.instanceId, systemEffects),
  count: async (most) => {
    counted.push(most);
    if (counts instanceof Error) throw counts;
    return counts;
  },
  writeHint: async (tier) => void hints.push(tier),
  limits: { startAt: 60, stopAt: 40 },
  now: effects.now,
  pause: () => new Promise(() => {}),
  putEvents: async (put) => void events.push(...put),
});
/** Runs it each minute. Changes of the instance take a minute. */
async function runFor(minutes: number): Promise<void> {
  for (let n = 0; n < minutes; n++) {
    effects.clock.now += MINUTE;
    if (isBeating && ec2.state === 'running') await store.machine.beat();
    await runTier(deps());
    ec2.settle();
  }
}
const details = () => events.map(({ detail }) => JSON.parse(detail));

describe('the tier', () => {
  test('hints at API Gateway from the stop on, and at the host once it runs', async () => {
    await runFor(30);
    expect(hints).toEqual(['host']);
    await runFor(1);
    expect([hints, ec2.changes]).toEqual([['host', 'gateway'], ['StopInstances']]);
    counts = { gateway: 61, host: 0 };
    await runFor(3);
    expect([hints.length, ec2.changes.length]).toEqual([2, 1]);
    await runFor(1);
    expect([hints.length, ec2.changes.length]).toEqual([2, 2]);
    await runFor(20);
    expect(hints).toEqual(['host', 'gateway', 'host']);
  });

  test('writes the hint again each minute until that succeeds, and changes the machine all the same', async () => {
    await runFor(30);
    const writeHint = () => Promise.reject(new Error('AccessDenied'));
    for (let n = 0; n < 3; n++) {
      effects.clock.now += MINUTE;
      await expect(runTier({ ...deps(), writeHint })).rejects.toThrow('AccessDenied');
      ec2.settle();
    }
    expect([ec2.state, hints]).toEqual(['stopped', ['host']]);
    await runFor(5);
    expect(hints).toEqual(['host', 'gateway']);
  });

  test('writes the hint again after a write that failed but took effect, also if it is no longer another one', async () => {
    counts = { gateway: 0, host: 50 };
    await runFor(2);
    ec2.state = 'stopping';
    effects.clock.now += MINUTE;
    const writeHint = async (tier: string) => {
      hints.push(tier);
      throw new Error('timeout');
    };
    await expect(runTier({ ...deps(), writeHint })).rejects.toThrow('timeout');
    ec2.state = 'running';
    await runFor(7);
    expect(hints).toEqual(['host', 'gateway', 'gateway', 'host']);
  });

  test('writes the hint once a day, as the store may be another one', async () => {
    counts = { gateway: 0, host: 50 };
    await runFor(1);
    for (let day = 1; day <= 2; day++) {
      const midnight = Math.ceil(effects.clock.now / DAY) * DAY;
      effects.clock.now = midnight - 2 * MINUTE;
      await runFor(1);
      expect(hints).toHaveLength(day);
      await runFor(2);
      expect(hints).toHaveLength(day + 1);
    }
    expect(hints).toEqual(['host', 'host', 'host']);
  });

  test('hints at API Gateway while heartbeats stop, and at the host 5 minutes after they come again', async () => {
    counts = { gateway: 0, host: 50 };
    await runFor(5);
    isBeating = false;
    await runFor(2);
    expect(hints).toEqual(['host']);
    await runFor(2);
    expect(hints).toEqual(['host', 'gateway']);
    isBeating = true;
    await runFor(5);
    expect(hints).toEqual(['host', 'gateway']);
    await runFor(1);
    expect([hints, ec2.changes]).toEqual([['host', 'gateway', 'host'], []]);
    expect(JSON.stringify(output.lines())).toContain('no heartbeat');
  });

  test.each(['system', 'instance'] as const)('hints at API Gateway while a check of the %s fails', async (check) => {
    counts = { gateway: 0, host: 50 };
    await runFor(2);
    ec2.status[check] = 'impaired';
    await runFor(1);
    expect(hints).toEqual(['host', 'gateway']);
    ec2.status[check] = 'ok';
    await runFor(6);
    expect(hints).toEqual(['host', 'gateway', 'host']);
  });

  test('does not hint at API Gateway for the checks of a machine that has just started', async () => {
    counts = { gateway: 0, host: 50 };
    Object.assign(ec2.status, { system: 'initializing', instance: 'insufficient-data' });
    await runFor(3);
    expect(hints).toEqual(['host']);
  });

  test('keeps the hint while EC2 does not answer about the checks', async () => {
    counts = { gateway: 0, host: 50 };
    await runFor(2);
    ec2.refused.set('DescribeInstanceStatus', 'RequestLimitExceeded');
    effects.clock.now += MINUTE;
    await expect(runTier(deps())).rejects.toThrow('EC2 refused DescribeInstanceStatus');
    expect(hints).toEqual(['host']);
  });

  test('begins again with a damaged record of the health', async () => {
    const { client, flags: TableName } = store.tables;
    counts = { gateway: 0, host: 50 };
    await runFor(2);
    const Item = { ...machineHealthKey, health: { S: '{' }, heardAt: { S: 'x' } };
    await client.send(new PutItemCommand({ TableName, Item }));
    await runFor(2);
    expect(hints).toEqual(['host']);
    expect(await store.machine.read()).toMatchObject({ health: { kind: 'healthy' }, heardAt: effects.now() });
  });

  test('logs the other errors beside the first one', async () => {
    await runFor(30);
    ec2.refused.set('StopInstances', 'RequestLimitExceeded');
    effects.clock.now += MINUTE;
    const writeHint = () => Promise.reject(new Error('AccessDenied'));
    await expect(runTier({ ...deps(), writeHint })).rejects.toThrow('RequestLimitExceeded');
    expect(JSON.stringify(output.lines())).toContain('AccessDenied');
  });

  test('hints at API Gateway if a wanted machine is stopped', async () => {
    counts = { gateway: 0, host: 50 };
    await runFor(2);
    ec2.state = 'stopped';
    ec2.refused.set('StartInstances', 'InsufficientInstanceCapacity');
    effects.clock.now += MINUTE;
    await expect(runTier(deps())).rejects.toThrow('InsufficientInstanceCapacity');
    expect(hints).toEqual(['host', 'gateway']);
  });

  test('stops the machine of a quiet service, and starts it for a crowd on API Gateway', async () => {
    await runFor(32);
    expect([ec2.state, ec2.changes]).toEqual(['stopped', ['StopInstances']]);
    counts = { gateway: 61, host: 0 };
    await runFor(5);
    expect([ec2.state, ec2.changes]).toEqual(['running', ['StopInstances', 'StartInstances']]);
    expect(new Set(counted)).toEqual(new Set([61]));
  });

  test('is announced at each change', async () => {
    await runFor(40);
    expect(events).toMatchObject([{ source: 'flagwire', detailType: 'Tier Changed' }]);
    expect(details()).toEqual([
      {
        id: 'tier/3',
        tier: 'gateway',
        mode: 'auto',
        by: 'deployment',
        at: expect.any(String),
        connections: { gateway: 0, host: 0 },
      },
    ]);
  });

  test('is what an operator sets, within a minute', async () => {
    counts = { gateway: 0, host: 50 };
    await runFor(31);
    await store.tiers.setMode('gateway');
    await runFor(1);
    expect(ec2.changes).toEqual(['StopInstances']);
    expect(details()).toMatchObject([{ tier: 'gateway', mode: 'gateway' }]);
  });

  test('does not change while connections cannot be counted', async () => {
    await runFor(29);
    counts = new Error('throttled');
    await runFor(20);
    expect(ec2.changes).toEqual([]);
    counts = { gateway: 0, host: 0 };
    await runFor(1);
    expect(ec2.changes).toEqual(['StopInstances']);
  });

  test('decides without a count that takes longer than 30 s', async () => {
    await runFor(29);
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    await runTier({ ...deps(), count: () => new Promise(() => {}), pause });
    expect([pauses, ec2.changes]).toEqual([[30_000], []]);
    await runFor(3);
    expect(ec2.changes).toEqual(['StopInstances']);
  });

  test('continues with its host after its item was damaged', async () => {
    await runFor(20);
    const { client, flags: TableName } = store.tables;
    await client.send(new PutItemCommand({ TableName, Item: { ...tierKey, mode: { S: 'x' }, revision: { S: 'x' } } }));
    await runFor(2);
    expect(await store.tiers.read()).toMatchObject({
      mode: 'auto',
      wanted: 'host',
      quietSince: effects.now() - MINUTE,
    });
    expect(ec2.changes).toEqual([]);
  });

  test('stays as it is while the table is away for 10 minutes', async () => {
    await runFor(25);
    const away = { ...deps(), tiers: new Tiers({ ...flagsTable(), client: unreachable() }) };
    for (let n = 0; n < 10; n++) {
      effects.clock.now += MINUTE;
      await expect(runTier(away)).rejects.toThrow('unreachable');
    }
    expect(ec2.changes).toEqual([]);
    await runFor(1);
    expect([ec2.changes, events.length]).toEqual([['StopInstances'], 1]);
  });

  test('does not change a machine before its own change is stored', async () => {
    await runFor(30);
    const write = () => Promise.reject(new Error('throttled'));
    for (let n = 0; n < 10; n++) {
      effects.clock.now += MINUTE;
      await expect(runTier({ ...deps(), tiers: { read: () => store.tiers.read(), write } })).rejects.toThrow(
        'throttled',
      );
    }
    expect([ec2.changes, events]).toEqual([[], []]);
    await runFor(1);
    expect([ec2.changes, events.length]).toEqual([['StopInstances'], 1]);
  });

  test('changes once after 10 minutes in which Lambda throttled all calls', async () => {
    await runFor(32);
    counts = { gateway: 61, host: 0 };
    await runFor(2);
    effects.clock.now += 10 * MINUTE;
    await Promise.all([runTier(deps()), runTier(deps())]);
    ec2.settle();
    await runFor(3);
    expect([ec2.state, ec2.changes]).toEqual(['running', ['StopInstances', 'StartInstances']]);
    expect(details().map(({ tier }) => tier)).toEqual(['gateway', 'host']);
  });

  test.each(['host', 'gateway'] as const)(
    'follows the machine and the crowd if its item wrongly says %s',
    async (wanted) => {
      for (const state of ['running', 'stopped'] as const) {
        await deleteItem(flagsTable(), tierKey);
        ec2 = new PlayedEc2(state, effects.now);
        const load = { crowdedSince: undefined, quietSince: undefined };
        await store.tiers.write({ ...load, mode: 'auto', by: 'x', wanted, changedAt: effects.now(), revision: 1 });
        counts = { gateway: state === 'running' ? 0 : 61, host: state === 'running' ? 61 : 0 };
        await runFor(40);
        expect(ec2.state).toBe('running');
      }
    },
  );

  test('fails with the code of EC2, and starts the machine as soon as EC2 allows it', async () => {
    counts = { gateway: 0, host: 50 };
    await runFor(31);
    await store.tiers.setMode('gateway');
    await runFor(4);
    await store.tiers.setMode('host');
    for (const code of ['InsufficientInstanceCapacity', 'RequestLimitExceeded']) {
      ec2.refused.set('StartInstances', code);
      effects.clock.now += MINUTE;
      await expect(runTier(deps())).rejects.toThrow(
        `EC2 refused StartInstances for instance i-0123456789abcdef0 with ${code}`,
      );
    }
    ec2.refused.clear();
    await runFor(1);
    expect(ec2.changes).toEqual(['StopInstances', 'StartInstances']);
    expect(details().map(({ tier }) => tier)).toEqual(['gateway', 'host']);
  });

  test('asks nothing of a machine that stops, which EC2 would refuse', async () => {
    counts = { gateway: 0, host: 50 };
    await runFor(31);
    await store.tiers.setMode('gateway');
    effects.clock.now += MINUTE;
    await runTier(deps());
    expect(ec2.state).toBe('stopping');
    await store.tiers.setMode('host');
    for (let n = 0; n < 6; n++) {
      effects.clock.now += MINUTE;
      await runTier(deps());
    }
    expect(await store.tiers.read()).toMatchObject({ wanted: 'host' });
    ec2.settle();
    await runFor(1);
    expect(ec2.state).toBe('running');
  });

  test('fails if a machine that was started is stopped again', async () => {
    counts = { gateway: 0, host: 50 };
    await runFor(31);
    await store.tiers.setMode('gateway');
    await runFor(4);
    await store.tiers.setMode('host');
    await runFor(6);
    ec2.state = 'stopped';
    effects.clock.now += MINUTE;
    await expect(runTier(deps())).rejects.toThrow('the machine is stopped, although it is wanted');
    expect(ec2.changes).toEqual(['StopInstances', 'StartInstances', 'StartInstances']);
  });

  test('is left alone while EC2 does not answer about the machine', async () => {
    await runFor(20);
    await store.tiers.setMode('gateway');
    ec2.refused.set('DescribeInstances', 'RequestLimitExceeded');
    effects.clock.now += MINUTE;
    await expect(runTier(deps())).rejects.toThrow('RequestLimitExceeded');
    expect(await store.tiers.read()).toMatchObject({ wanted: 'host' });
  });

  test('changes once if two calls decide at the same time', async () => {
    await runFor(30);
    effects.clock.now += MINUTE;
    await Promise.all([runTier(deps()), runTier(deps())]);
    expect([ec2.changes, events.length]).toEqual([['StopInstances'], 1]);
  });

  test('is repaired by the next call if one ends between its write and its call of EC2', async () => {
    await runFor(30);
    effects.clock.now += MINUTE;
    const { machine, ...rest } = deps();
    const ending = { describe: () => machine.describe(), change: () => new Promise<void>(() => {}) };
    void runTier({ ...rest, machine: ending });
    for (let n = 0; (await store.tiers.read())?.wanted === 'host' && n < 1_000; n++) await systemEffects.pause(1);
    expect(ec2.changes).toEqual([]);
    await runFor(1);
    expect(ec2.changes).toEqual(['StopInstances']);
  });

  test('records a crowd on API Gateway that does not move to the host', async () => {
    process.env['AWS_LAMBDA_LOG_GROUP_NAME'] = 'tier';
    try {
      counts = { gateway: 61, host: 18_000 };
      await runFor(121);
      expect(output.metrics()).toEqual([]);
      await runFor(2);
      expect(output.metrics()).toEqual([{ 'tier.stuck': 1 }, { 'tier.stuck': 1 }]);
    } finally {
      delete process.env['AWS_LAMBDA_LOG_GROUP_NAME'];
    }
  });
});
