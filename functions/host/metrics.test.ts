import { expect, test } from '@jest/globals';
import { createMetrics } from './metrics.ts';

test('metrics tell of the process, but for what would walk all its sockets', async () => {
  const text = await createMetrics({ connections: () => 3, unsentBytes: () => 70 }).registry.metrics();
  expect(text).toContain('flagwire_connections 3');
  expect(text).toContain('flagwire_unsent_bytes 70');
  for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'])
    expect(text).toContain(`\n${name} `);
  expect(text).not.toMatch(/^(process_open_fds|nodejs_active_)/m);
});
