import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type AddressInfo, WebSocketServer } from 'ws';
import { until } from '../../../../shared/testing/until.ts';
import { startWatch } from './watch.ts';

const clientKey = 'qJHQTVfsZUOu1Q54RLMuIQ-JtrIvNK-k-bARYicOTNQA';

let server: WebSocketServer;
let watch: ReturnType<typeof startWatch> | undefined;
let problems: string[];
beforeEach(async () => {
  problems = [];
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
});
afterEach(async () => {
  // Told to leave before its connection ends: it does not see an end between two questions, and would wait for an answer to the next.
  const stopped = watch?.stop();
  for (const client of server.clients) client.terminate();
  server.close();
  await stopped;
});

/** So late an answer is no freeze in any test but the first, however slow the machine. */
const NEVER_MS = 600_000;

const alive = { pid: process.pid, isRunning: true, output: '' };

/** Watches, until a problem is told. @returns it */
function firstProblem(
  process: typeof alive,
  { memoryBytes = Number.POSITIVE_INFINITY, freezeMs = NEVER_MS, onDeath = () => {} },
): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const probed = { streamingUrl: `ws://127.0.0.1:${port}`, clientKey, freezeMs };
  return new Promise((resolve) => {
    const report = (problem: string) => {
      problems.push(problem);
      resolve(problem);
    };
    watch = startWatch({ process: process as never, probed, memoryBytes }, report, onDeath);
  });
}

test('a probe without an answer is reported', async () => {
  expect(await firstProblem(alive, { freezeMs: 1_000 })).toMatch(/the probe: a data-sync is without an answer/);
});

test('a probe whose connection is closed is reported', async () => {
  server.on('connection', (socket) => socket.on('message', () => socket.close(1011)));
  expect(await firstProblem(alive, {})).toBe('the probe: its connection was closed with 1011');
});

test('a probe that is answered is not', async () => {
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      socket.send(String(data).includes('echo') ? String(data) : '{"messageType":"data-sync","data":{}}');
      if (watch && watch.seen().probe.answered > 3) void watch.stop().then(() => problems.push('over'));
    }),
  );
  void firstProblem(alive, {});
  await until(() => problems.length > 0);
  expect(problems).toEqual(['over']);
});

test('a late answer to the probe holds up what waits for it, until it comes', async () => {
  let isAnswering = false;
  let answer = () => {};
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const text = String(data).includes('echo') ? String(data) : '{"messageType":"data-sync","data":{}}';
      answer = () => socket.send(text);
      if (isAnswering) answer();
    }),
  );
  void firstProblem(alive, {});
  await watch?.untilInTime();
  await until(() => watch?.seen().probe.isLate === true);
  let isHeldUp = true;
  const heldUp = watch?.untilInTime().then(() => {
    isHeldUp = false;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isHeldUp).toBe(true);
  isAnswering = true;
  answer();
  await heldUp;
  const { probe } = watch?.seen() ?? {};
  expect(probe?.isLate).toBe(false);
  expect(problems).toEqual([]);
  expect(probe?.late).toBeGreaterThanOrEqual(1);
});

test('more memory than the bound is reported', async () => {
  server.on('connection', (socket) => socket.on('message', () => socket.send('{"messageType":"data-sync"}')));
  expect(await firstProblem(alive, { memoryBytes: 1 })).toMatch(/its resident memory is \d+ MiB; the limit is 0 MiB/);
});

test('the end of the process is reported with its last output', async () => {
  let isDead = false;
  const dead = { ...alive, isRunning: false, output: 'out of memory' };
  const onDeath = () => {
    isDead = true;
  };
  expect(await firstProblem(dead, { onDeath })).toContain('out of memory');
  expect(isDead).toBe(true);
});
