import { expect, test } from '@jest/globals';
import { createMetrics } from './metrics.ts';

test('metrics tell of the process, but for what would walk all its sockets', async () => {
  const current = { connections: () => 3, unsentBytes: () => 70, lostInsights: () => ({}) };
  const text = await createMetrics(current).registry.metrics();
  expect(text).toContain('flagwire_connections 3');
  expect(text).toContain('flagwire_unsent_bytes 70');
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
    expect(text).toContain(`\n${name} `);
  expect(text).not.toMatch(/^(process_open_fds|nodejs_active_)/m);
});

test('metrics tell which insights were lost, and why', async () => {
  const lost = { deleted: 0, refused: 2 };
  const { registry } = createMetrics({ connections: () => 0, unsentBytes: () => 0, lostInsights: () => lost });
  lost.deleted = 5;
  for (const text of [await registry.metrics(), await registry.metrics()]) {
    expect(text).toContain('flagwire_insights_lost_total{reason="deleted"} 5');
    expect(text).toContain('flagwire_insights_lost_total{reason="refused"} 2');
  }
});
