import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenConnections } from './openConnections.ts';

/** Closes connections evenly over a time, so that their SDKs do not all reconnect at once. */
export async function drain(open: OpenConnections, overMs: number): Promise<void> {
  const leaving = open.all();
  const startedAt = performance.now();
  for (const [index, transport] of leaving.entries()) {
    const due = startedAt + (overMs * index) / leaving.length;
    if (due > performance.now()) await sleep(due - performance.now());
    transport.close(1001, 'the server is restarting');
  }
  // Terminate connections that have not answered the close frame.
  for (let waited = 0; open.size > 0 && waited < 1_000; waited += 20) await sleep(20);
  for (const transport of open.all()) transport.terminate();
}
