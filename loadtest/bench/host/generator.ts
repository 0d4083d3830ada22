import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { dueBy, quantile } from './pace.ts';

/** What one run of the generator is told, as JSON in its first argument. */
export interface Load {
  readonly streamingUrl: string;
  readonly clientKey: string;
  readonly rate: number;
  readonly seconds: number;
  /** Whether the answer must be for the asking user; a constant one never is. */
  readonly isForUser: boolean;
}

/** What it measured, as JSON on its standard output. Times are in milliseconds. */
export interface Measured {
  readonly intended: number;
  readonly achieved: number;
  readonly answered: number;
  readonly errors: number;
  /** From sending a data-sync to its answer, as FeatBit's benchmark counts it. */
  readonly sync: { readonly p50: number; readonly p99: number; readonly max: number };
  /** From beginning to connect to that answer. */
  readonly total: { readonly p50: number; readonly p99: number };
  readonly cpu: number;
  readonly loopDelayMs: number;
}

/** How long answers are waited for after the last connection. */
const PATIENCE_MS = 5_000;

console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}') as Load)));
process.exit(0);

async function run({ streamingUrl, clientKey, rate, seconds, isForUser }: Load): Promise<Measured> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const count = rate * seconds;
  const syncs: number[] = [];
  const totals: number[] = [];
  let errors = 0;
  const connect = (n: number) => {
    const keyId = `bench-${n}`;
    const began = performance.now();
    let sent = 0;
    const url = `${streamingUrl}/streaming?type=client&token=${encodeToken(clientKey, Date.now(), 7)}`;
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.on('open', () => {
      sent = performance.now();
      const user = { keyId, name: keyId, customizedProperties: [] };
      socket.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0, user } }));
    });
    socket.once('message', (data) => {
      const now = performance.now();
      const { messageType, data: answer } = JSON.parse(String(data));
      const isRight = messageType === 'data-sync' && answer.eventType === 'full' && answer.featureFlags.length === 5;
      if (!isRight || (isForUser && answer.userKeyId !== keyId)) {
        errors++;
        return;
      }
      syncs.push(now - sent);
      totals.push(now - began);
    });
    socket.on('error', () => errors++);
  };

  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  for (let opened = 0; opened < count; await sleep(1)) {
    for (const due = dueBy(performance.now() - start, rate, count); opened < due; opened++) connect(opened);
  }
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  for (const end = performance.now() + PATIENCE_MS; syncs.length + errors < count && performance.now() < end; )
    await sleep(20);
  return {
    intended: rate,
    achieved: (count - 1) / (elapsed / 1_000),
    answered: syncs.length,
    errors: count - syncs.length,
    sync: { p50: quantile(syncs, 0.5), p99: quantile(syncs, 0.99), max: quantile(syncs, 1) },
    total: { p50: quantile(totals, 0.5), p99: quantile(totals, 0.99) },
    cpu: (user + system) / 1_000 / elapsed,
    loopDelayMs: delay.percentile(99) / 1e6,
  };
}
