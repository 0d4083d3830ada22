import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { heartbeatKey, machineHealthKey, tierKey } from '../../shared/store/table/keys.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { deleteItem } from '../../shared/store/table/write.ts';
import { store, useStore } from '../../shared/store/testing/testStore.ts';
import { testEffects } from '../../shared/store/testing/testTables.ts';
import { Tiers } from '../../shared/store/tiers.ts';
import type { MachineState } from '../../shared/tier/machineHealth.ts';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { runTier, type TierDeps } from './runTier.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const effects = testEffects(Date.UTC(2026, 10, 28));
useStore(effects);

let machine: MachineState;
let hints: string[];
/** Whether the host writes heartbeats while its machine runs. */
let isBeating: boolean;
let output: CapturedOutput;

beforeEach(async () => {
  for (const key of [tierKey, machineHealthKey, heartbeatKey]) await deleteItem(flagsTable(), key);
  machine = { isRunning: true, isImpaired: false };
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
const deps = (): TierDeps => ({
  tiers: store.tiers,
  records: store.machine,
  readStatus: async () => machine,
  writeHint: async (tier) => void hints.push(tier),
  now: effects.now,
});
/** Runs it each minute. */
async function runFor(minutes: number): Promise<void> {
  for (let n = 0; n < minutes; n++) {
    effects.clock.now += MINUTE;
    if (isBeating && machine.isRunning) await store.machine.beat();
    await runTier(deps());
  }
}
/** Runs it in the next minute. It must fail. */
async function failWith(message: string, other: Partial<TierDeps>): Promise<void> {
  effects.clock.now += MINUTE;
  await expect(runTier({ ...deps(), ...other })).rejects.toThrow(message);
}

describe('the tier', () => {
  test('begins with the host, by the deployment', async () => {
    await runFor(2);
    expect(hints).toEqual(['host']);
    expect(await store.tiers.read()).toMatchObject({ wanted: 'host', by: 'deployment', hinted: 'host' });
  });

  test('is what an operator sets, within a minute', async () => {
    await runFor(2);
    await store.tiers.setWanted('gateway');
    await runFor(1);
    expect(hints).toEqual(['host', 'gateway']);
    await store.tiers.setWanted('host');
    await runFor(1);
    expect(hints).toEqual(['host', 'gateway', 'host']);
  });

  test('writes the hint again each minute until that succeeds', async () => {
    await runFor(2);
    await store.tiers.setWanted('gateway');
    const writeHint = () => Promise.reject(new Error('AccessDenied'));
    for (let n = 0; n < 3; n++) await failWith('AccessDenied', { writeHint });
    await runFor(5);
    expect(hints).toEqual(['host', 'gateway']);
  });

  test('writes the hint again after a failed write that took effect, also if it changed back', async () => {
    await runFor(2);
    machine = { isRunning: false, isImpaired: false };
    const writeHint = async (tier: string) => {
      hints.push(tier);
      throw new Error('timeout');
    };
    await failWith('timeout', { writeHint });
    machine = { isRunning: true, isImpaired: false };
    await runFor(7);
    expect(hints).toEqual(['host', 'gateway', 'gateway', 'host']);
  });

  test('writes the hint once a day, as the store may be another one', async () => {
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
    expect(hints).toEqual(['host', 'gateway', 'host']);
    expect(JSON.stringify(output.lines())).toContain('no heartbeat');
  });

  test.each([
    { isRunning: true, isImpaired: true },
    { isRunning: false, isImpaired: false },
  ])('hints at API Gateway while the machine is %j', async (ill) => {
    await runFor(2);
    machine = ill;
    await runFor(1);
    expect(hints).toEqual(['host', 'gateway']);
    machine = { isRunning: true, isImpaired: false };
    await runFor(6);
    expect(hints).toEqual(['host', 'gateway', 'host']);
  });

  test('keeps the hint while EC2 does not answer', async () => {
    await runFor(2);
    await failWith('refused', { readStatus: () => Promise.reject(new Error('refused')) });
    expect(hints).toEqual(['host']);
  });

  test('begins again with a damaged record of the health', async () => {
    const { client, flags: TableName } = store.tables;
    await runFor(2);
    const Item = { ...machineHealthKey, health: { S: '{' }, heardAt: { S: 'x' } };
    await client.send(new PutItemCommand({ TableName, Item }));
    await runFor(2);
    expect(hints).toEqual(['host']);
    expect(await store.machine.read()).toMatchObject({ health: { kind: 'healthy' }, heardAt: effects.now() });
  });

  test('continues with the host after its item was damaged', async () => {
    await runFor(20);
    const { client, flags: TableName } = store.tables;
    const Item = { ...tierKey, wanted: { S: 'x' }, revision: { S: 'x' } };
    await client.send(new PutItemCommand({ TableName, Item }));
    await runFor(2);
    expect(await store.tiers.read()).toMatchObject({ wanted: 'host', hinted: 'host' });
  });

  test('keeps the hint while the table is away', async () => {
    await runFor(25);
    const tiers = new Tiers({ ...flagsTable(), client: unreachable() });
    for (let n = 0; n < 10; n++) await failWith('unreachable', { tiers });
    await runFor(1);
    expect(hints).toEqual(['host']);
  });

  test('does not write the hint before its item is stored', async () => {
    const write = () => Promise.reject(new Error('throttled'));
    await failWith('throttled', { tiers: { read: () => store.tiers.read(), write } });
    expect(hints).toEqual([]);
    await runFor(1);
    expect(hints).toEqual(['host']);
  });

  test('writes the hint once if two calls decide at the same time', async () => {
    await Promise.all([runTier(deps()), runTier(deps())]);
    expect(hints).toEqual(['host']);
  });

  test('records an unhealthy machine while the host is wanted', async () => {
    process.env['AWS_LAMBDA_LOG_GROUP_NAME'] = 'tier';
    try {
      await runFor(2);
      expect(output.metrics()).toEqual([]);
      machine = { isRunning: true, isImpaired: true };
      await runFor(2);
      expect(output.metrics()).toEqual([{ 'tier.unhealthy': 1 }, { 'tier.unhealthy': 1 }]);
      await store.tiers.setWanted('gateway');
      await runFor(1);
      expect(output.metrics()).toHaveLength(2);
    } finally {
      delete process.env['AWS_LAMBDA_LOG_GROUP_NAME'];
    }
  });
});
