import { expect, test } from '@jest/globals';
import { createMetricsApp } from './app.ts';
import { createMetrics } from './metrics.ts';

test('metrics are answered with the type that Prometheus reads', async () => {
  const { registry, addCurrent } = createMetrics();
  addCurrent({
    unreported: () => 0,
    droppedUsage: () => 0,
    connections: () => 3,
    unsentBytes: () => 0,
    lostInsights: () => ({}),
  });
  const answer = await createMetricsApp(registry).request('/metrics');
  expect(answer.headers.get('content-type')).toBe(registry.contentType);
  expect(await answer.text()).toMatch(/^flagwire_connections 3$/m);
});

test('metrics are read, and nothing else', async () => {
  const { registry } = createMetrics();
  const answer = await createMetricsApp(registry).request('/metrics', { method: 'POST' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});
