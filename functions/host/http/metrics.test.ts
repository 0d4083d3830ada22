import { expect, test } from '@jest/globals';
import { createMetrics } from './metrics.ts';

test('metrics tell of the process, but for what would walk all its sockets', async () => {
  const current = {
    unreported: () => 0,
    droppedUsage: () => 0,
    connections: () => 3,
    unsentBytes: () => 70,
    lostInsights: () => ({}),
  };
  const metrics = createMetrics();
  metrics.addCurrent(current);
  const text = await metrics.registry.metrics();
  expect(text).toContain('flagwire_connections 3');
  expect(text).toContain('flagwire_unsent_bytes 70');
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
    expect(text).toContain(`\n${name} `);
  expect(text).not.toMatch(/^(process_open_fds|nodejs_active_)/m);
});

test('metrics tell which insights were lost, and why', async () => {
  const lost = { deleted: 0, refused: 2 };
  const { registry, addCurrent } = createMetrics();
  addCurrent({
    unreported: () => 0,
    droppedUsage: () => 0,
    connections: () => 0,
    unsentBytes: () => 0,
    lostInsights: () => lost,
  });
  lost.deleted = 5;
  for (const text of [await registry.metrics(), await registry.metrics()]) {
    expect(text).toContain('flagwire_insights_lost_total{reason="deleted"} 5');
    expect(text).toContain('flagwire_insights_lost_total{reason="refused"} 2');
  }
});

test('no two metrics are one family by the names that OpenMetrics gives them', async () => {
  const current = {
    unreported: () => 0,
    droppedUsage: () => 0,
    connections: () => 0,
    unsentBytes: () => 0,
    lostInsights: () => ({}),
  };
  const metrics = createMetrics();
  metrics.addCurrent(current);
  const families = (await metrics.registry.getMetricsAsJSON()).map(({ name, type }) =>
    String(type) === 'counter' ? name.replace(/_total$/, '') : name,
  );
  expect(families.filter((name, i) => families.indexOf(name) !== i)).toEqual([]);
});

test('metrics tell which build answers, and nothing of the table before it was reached', async () => {
  const metrics = createMetrics();
  const before = await metrics.registry.metrics();
  expect(before).toMatch(/^flagwire_build_info\{version="[\d.]+",runtime="(node|bun)",runtime_version="[\d.]+"\} 1$/m);
  expect(before).not.toContain('flagwire_table_reached_timestamp_seconds');
  for (const at of [1_700_000_000, 1_700_000_001]) metrics.tableReached(at);
  expect(await metrics.registry.metrics()).toContain('\nflagwire_table_reached_timestamp_seconds 1700000001\n');
});
