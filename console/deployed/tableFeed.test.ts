import { beforeAll, expect, test } from '@jest/globals';
import { METRIC_UNITS, METRICS_NAMESPACE } from '../../functions/telemetry/metrics.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { connect } from '../../shared/store/testing/connect.ts';
import { newEnvironment, store, useStore } from '../../shared/store/testing/testStore.ts';
import { until } from '../../shared/testing/until.ts';
import type { LiveLine, LiveState } from '../live.ts';
import { cloudWatchMetrics, type GetMetricData } from './metrics.ts';
import { type TableFeedDeps, tableFeed } from './tableFeed.ts';

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

/** The first state of a feed with these dependencies. */
async function look(deps: Partial<TableFeedDeps>): Promise<LiveState> {
  const lines: LiveLine[] = [];
  const readMetrics = async () => ({ windowMs: 900_000, syncs: 4, pushed: 2 });
  const feed = tableFeed({ store, connections: store.connections, readMetrics, ...deps });
  const end = feed.follow(envId, (line) => lines.push(line));
  await until(() => lines.some(({ type }) => type === 'state') && lines.some(({ type }) => type === 'version'));
  end();
  return lines.find((line): line is LiveState => line.type === 'state') as LiveState;
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

test('names what it may not read, and shows all else', async () => {
  const refused = Object.assign(
    new Error('User: u is not authorized to perform: cloudwatch:GetMetricData because no policy allows it'),
    { name: 'AccessDenied' },
  );
  const state = await look({ readMetrics: () => Promise.reject(refused), connections: undefined });
  expect(state.missing).toMatch(/^connections: name the connections table .*; metrics: .* cloudwatch:GetMetricData/);
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
