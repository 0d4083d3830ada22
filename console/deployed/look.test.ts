import { beforeAll, expect, test } from '@jest/globals';
import { METRIC_UNITS, METRICS_NAMESPACE } from '../../functions/telemetry/metrics.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { connect } from '../../shared/store/testing/connect.ts';
import { newEnvironment, store, useStore } from '../../shared/store/testing/testStore.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import type { LiveState } from '../live.ts';
import { createLook } from './look.ts';
import { cloudWatchMetrics, type GetMetricData } from './metrics.ts';

let envId: string;
useStore(systemEffects);
beforeAll(async () => {
  envId = await newEnvironment();
  const at = Date.now();
  for (const type of ['client', 'client', 'server'] as const) {
    const id = systemEffects.uuid();
    await connect(store.connections, envId, { id, type, requestedAt: at });
  }
});

/** The state of an environment with these dependencies. */
async function look(deps: Partial<Parameters<typeof createLook>[0]>): Promise<LiveState> {
  const readMetrics = async () => ({ windowMs: 900_000, syncs: 4, pushed: 2 });
  return (await createLook({ store, connections: store.connections, readMetrics, ...deps })(envId)).state;
}

test('a deployment’s connections are counted by type', async () => {
  const state = await look({});
  expect(state).toMatchObject({
    source: 'table',
    connections: { total: 3, isAtLeast: false, byType: { client: 2, server: 1, relay: 0 } },
    recent: { syncs: 4, pushed: 2 },
  });
  expect(state).not.toHaveProperty('missing');
});

test('each look reads the version, and counts connections at most every 15 s', async () => {
  let now = 1e12;
  let counted = 0;
  const effects = { ...systemEffects, now: () => now };
  const countByType = async () => {
    counted++;
    return { client: 1, server: 0, isAtLeast: false };
  };
  const readMetrics = async () => ({ windowMs: 900_000, syncs: 0, pushed: 0 });
  const read = createLook({ store: { ...store, effects }, connections: { countByType }, readMetrics });
  const { version } = await read(envId);
  await store.documents.writeFlag(envId, 'f', () => aFlag({ key: 'f' }));
  now += 14_999;
  expect((await read(envId)).version).toBeGreaterThan(version);
  expect(counted).toBe(1);
  now += 1;
  await read(envId);
  expect(counted).toBe(2);
});

test('names what it may not read, and shows all else', async () => {
  const refused = Object.assign(
    new Error(
      'User: u is not authorized to perform: cloudwatch:GetMetricData on resource: arn:aws:cloudwatch:eu-west-1:1:* because no policy allows it',
    ),
    { name: 'AccessDenied' },
  );
  const state = await look({ readMetrics: () => Promise.reject(refused), connections: undefined });
  expect(state.missing).toMatch(
    /^connections: name the connections table .*; metrics: .* cloudwatch:GetMetricData on …;/,
  );
  expect(state).not.toHaveProperty('recent');
});

test('metrics are asked for once a minute, of the deployment’s stage, and summed', async () => {
  let now = 1e12;
  const asked: Parameters<GetMetricData>[0][] = [];
  const readMetrics = cloudWatchMetrics(
    async (input) => {
      asked.push(input);
      const values: Record<string, number[]> = { opened: [1, 2], syncs: [5], syncmsp95: [20, 30] };
      return (input.MetricDataQueries ?? []).map(({ Id = '' }) => ({ Id, Values: values[Id] ?? [] }));
    },
    'prod',
    () => now,
  );
  const sums = { windowMs: 900_000, opened: 3, syncs: 5, pushed: 0, syncMsP95: 30 };
  expect(await Promise.all([readMetrics(), readMetrics()])).toEqual([sums, sums]);
  now += 59_999;
  await readMetrics();
  expect(asked).toHaveLength(1);
  now += 1;
  await readMetrics();
  expect(asked).toHaveLength(2);
  for (const { MetricStat } of asked[0]?.MetricDataQueries ?? []) {
    expect(MetricStat?.Metric?.Namespace).toBe(METRICS_NAMESPACE);
    expect(Object.keys(METRIC_UNITS)).toContain(MetricStat?.Metric?.MetricName);
  }
  const [first] = asked[0]?.MetricDataQueries ?? [];
  expect(first).toEqual({
    Id: 'opened',
    MetricStat: {
      Metric: {
        Namespace: 'Flagwire',
        MetricName: 'websocket.connections.total',
        Dimensions: [{ Name: 'Stage', Value: 'prod' }],
      },
      Period: 300,
      Stat: 'Sum',
    },
  });
});
