import { setTimeout as sleep } from 'node:timers/promises';
import { startDistribution } from '../../../dev/emulator/cloudfront/distribution.ts';
import { DOOR_SETTINGS } from '../../../dev/local/frontDoor.ts';
import { freePort } from '../../../dev/support/freePort.ts';
import { HostProcess } from '../../../dev/support/hostProcess.ts';
import { PUSH_MS } from '../../../dev/support/sdkModel/sentState.ts';
import { findLost, type Violation } from '../../../dev/support/sdkModel/sessions.ts';
import { WriteLog } from '../../../dev/support/sdkModel/writeLog.ts';
import { FLAG_KEYS, markedFlag } from '../../../dev/verify/torture/linearize/documents.ts';
import { createWorkspace } from '../../../dev/verify/torture/linearize/fixture.ts';
import { itemOf } from '../../../dev/verify/torture/linearize/writer.ts';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizeTemplates } from '../../../infra/inProcess.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { readAnnouncement } from '../../../shared/runtime/announcement.ts';
import { quantile } from '../../../shared/statistics/quantile.ts';
import { HINT_KEY } from '../../../shared/tier/tier.ts';
import { startEmulator } from '../../machine/emulatorProcess.ts';
import { openTable } from '../../machine/flagFlips.ts';
import { GENERATOR_CORE } from '../../machine/pinned.ts';
import { begin, benchCommand, progress, round } from '../benchmark.ts';
import { DoorClient } from './doorClient.ts';

/** What is counted: the kinds of violations, and the responses by which API Gateway reports that a function was throttled. */
const KINDS = ['lost', 'duplicate', 'stale', 'out of order', 'malformed', 'throttled'] as const;
const HEAD = ['case', 'P50 s', 'P99 s', 'last s', 'refused handshakes', ...KINDS];
/** New clients a second in most cases. */
const RATE = 20;
/** Clients for which AWS's default quotas are meant: of 5,000, 500 or 1,000 connect each second. */
const FULL_CLIENTS = 5_000;
/** Pause between changes to 200 clients, in milliseconds. With more clients, there are as many messages a second. */
const CHANGE_MS = 2_000;
/** The watchdog of the systemd unit ends a process that does not answer after about this time, in milliseconds. */
const WATCHDOG_MS = 30_000;
/** Time until the hint points at API Gateway because the heartbeat stopped: three minutes, and up to one until the next look. */
const HINT_MS = 240_000;
const DEADLINE_MS = 900_000;

const command = benchCommand('front-door', 'docs/results/front-door.json')
  .option('--clients <n>', 'number of clients. The emulated quotas grow with it', wholeNumber, 200)
  .option('--no-failover', 'play a CloudFront that does not fail over for WebSocket handshakes');
// Each variant has its own file.
const { options, report } = begin<{ readonly clients: number; readonly failover: boolean }>(command, (asked) =>
  [asked.clients === 200 ? '' : `-${asked.clients}`, asked.failover ? '' : '-no-failover'].join(''),
);
const PART = Math.max(200, options.clients) / FULL_CLIENTS;
const changeMs = CHANGE_MS * Math.max(1, options.clients / 200);
// In its own process, so that it does not delay the clients.
const emulator = await startEmulator(GENERATOR_CORE, [], 0, ['--aws', 'default', '--quotas', String(PART)]);
const gateway = readAnnouncement(emulator.directory)?.httpUrl ?? '';
const store = openTable(emulator.table);
const PORT = String(await freePort());
const hints = new Map<string, string>();
const door = await startDistribution({
  templates: synthesizeTemplates(readConfig(DOOR_SETTINGS)),
  addresses: { host: `http://127.0.0.1:${PORT}`, gateway, http: gateway },
  store: hints,
  hasFailoverOfSockets: options.failover,
});
const startHost = () => HostProcess.startLocal(emulator.directory, { PORT, DRAIN_MS: '1', INSIGHT_FILE: '/dev/null' });
const rows: (string | number)[][] = [];
const violations: string[] = [];
let unanswered = 0;

/**
 * Measures how long clients wait for current flags, while flags change. Times begin with each client. If there is an event, it follows when
 * all clients have their flags, and times begin with it.
 *
 * @returns the number of refused handshakes
 */
async function measure(name: string, rate: number, event?: (clients: readonly DoorClient[]) => Promise<unknown>) {
  progress(name);
  const writes = new WriteLog();
  const counts = new Map<string, number>(KINDS.map((kind) => [kind, 0]));
  const note = (violation: Violation, what: string) => {
    const kind = what.includes('Internal server error') ? 'throttled' : violation;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (kind !== 'throttled') violations.push(`${name}: ${violation}: ${what}`);
  };
  const workspace = await createWorkspace({ target: { ...door, store, tables: { flags: store.table.name } } }, writes);
  const endChanges = startChanges(workspace.envId, writes);
  const clients: DoorClient[] = [];
  for (const beganAt = performance.now(); clients.length < options.clients; ) {
    // A late client does not delay the others.
    await sleep(Math.max(0, beganAt + (clients.length * 1_000) / rate - performance.now()));
    const deps = { name: `client ${clients.length}`, writes, report: note, graceMs: PUSH_MS };
    clients.push(new DoorClient(clients.length, (type) => workspace.url(type), deps));
  }
  await settle(clients);
  if (event) {
    for (const client of clients) client.begin();
    await event(clients);
    await settle(clients);
  }
  const times = clients.map(({ seconds }) => seconds);
  await endChanges();
  for (const client of clients) {
    client.leave();
    // At the quota of concurrent executions, API Gateway would forget some of them only when they expire.
    await sleep(10);
  }
  const sessions = clients.flatMap(({ model }) => model.check.sessions);
  findLost(sessions, writes.acknowledged, PUSH_MS, note);
  unanswered += times.filter((time) => time === Infinity).length;
  const refused = clients.reduce((sum, client) => sum + client.refused, 0);
  const seconds = [0.5, 0.99, 1].map((share) => round(quantile(times, share)));
  rows.push([name, ...seconds, refused, ...counts.values()]);
  return refused;
}

/** Waits until each client has current flags. */
async function settle(clients: readonly DoorClient[]): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  while (clients.some(({ seconds }) => seconds === Infinity) && performance.now() < end) await sleep(10);
}

/** Changes a flag again and again. @returns ends that, after two more changes and the time that they take to arrive */
function startChanges(envId: string, writes: WriteLog): () => Promise<void> {
  let isOver = false;
  const changing = (async () => {
    for (let n = 0; !isOver; n++) {
      const [key, mark] = [FLAG_KEYS[n % FLAG_KEYS.length] as string, `change-${n}`];
      writes.begin(mark);
      const stored = await store.documents.writeFlag(envId, key, () => markedFlag(key, mark));
      writes.acknowledge(stored.map(itemOf), performance.now());
      await sleep(changeMs);
    }
  })();
  return async () => {
    await sleep(2 * changeMs);
    isOver = true;
    await changing;
  };
}

let host = await startHost();
const restart = async () => {
  await host.stop('SIGKILL');
  await sleep(1_000);
  host = await startHost();
};
const hang = () => process.kill(host.pid, 'SIGSTOP');

const errors = await measure('40 new clients a second, with a host', 40);
hints.set(HINT_KEY, 'gateway');
await measure('a wrong hint: API Gateway, although the host runs', RATE);
hints.delete(HINT_KEY);
await measure('the process is killed, and starts again after 1 s', RATE, restart);
await measure('the process hangs, is killed after 30 s, and starts again', RATE, async () => {
  hang();
  await sleep(WATCHDOG_MS);
  await restart();
});
hang();
// With failover, nobody needs the restart.
const restarted = options.failover ? undefined : sleep(WATCHDOG_MS).then(restart);
await measure('20 new clients a second, while the process hangs', RATE);
await (restarted ?? restart());
await measure('the machine is gone', RATE, async () => {
  await host.stop('SIGKILL');
  // With failover, the hint only saves time.
  if (!options.failover) setTimeout(() => hints.set(HINT_KEY, 'gateway'), HINT_MS);
});
await measure('the host is back, and API Gateway closes all connections', RATE, async (clients) => {
  host = await startHost();
  hints.delete(HINT_KEY);
  for (const client of clients) {
    client.lose();
    await sleep(1_000 / RATE);
  }
});
await host.stop('SIGKILL');
if (!options.failover) hints.set(HINT_KEY, 'gateway');
await measure('40 new clients a second, without a host', 40);

const bounds = [
  { name: 'violations', measured: violations.length },
  { name: 'errors with a host', measured: errors },
  { name: 'clients without current flags', measured: unanswered },
];
const title = 'Time until all clients have current flags';
report([{ title, head: HEAD, rows, bounds, notes: violations.slice(0, 10) }]);
await door.close();
store.close();
await emulator.stop();
process.exit();
