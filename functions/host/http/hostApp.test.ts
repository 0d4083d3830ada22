import { expect, test } from '@jest/globals';
import { createMetricsApp } from './hostApp.ts';
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
  const answer = await createMetricsApp(registry, () => 0).request('/metrics');
  expect(answer.headers.get('content-type')).toBe(registry.contentType);
  expect(await answer.text()).toMatch(/^flagwire_connections 3$/m);
});

test('metrics are read, and nothing else', async () => {
  const { registry } = createMetrics();
  const answer = await createMetricsApp(registry, () => 0).request('/metrics', { method: 'POST' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('metrics are collected ten times at once, then once a second for all callers', async () => {
  const { registry, opened } = createMetrics();
  let now = 1_000;
  const app = createMetricsApp(registry, () => now);
  const read = async () => {
    opened.inc();
    return Number(/^flagwire_connections_opened_total (\d+)$/m.exec(await (await app.request('/metrics')).text())?.[1]);
  };
  for (let n = 1; n <= 10; n++) expect(await read()).toBe(n);
  for (let n = 0; n < 5; n++) expect(await read()).toBe(10);
  now += 1_000;
  expect([await read(), await read()]).toEqual([16, 16]);
});
