import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDistribution } from '../../../dev/emulator/cloudfront/distribution.ts';
import { DOOR_SETTINGS } from '../../../dev/local/frontDoor.ts';
import { freePort } from '../../../dev/support/freePort.ts';
import { HostProcess } from '../../../dev/support/hostProcess.ts';
import { PUSH_MS } from '../../../dev/support/sdkModel/sentState.ts';
import { findLost } from '../../../dev/support/sdkModel/sessions.ts';
import type { Violation } from '../../../dev/support/sdkModel/violation.ts';
import { WriteLog } from '../../../dev/support/sdkModel/writeLog.ts';
import { FLAG_KEYS, markedFlag } from '../../../dev/verify/torture/linearize/documents.ts';
import { createWorkspace } from '../../../dev/verify/torture/linearize/fixture.ts';
import { itemOf } from '../../../dev/verify/torture/linearize/writer.ts';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizeTemplates } from '../../../infra/inProcess.ts';
import { repositoryRoot } from '../../../infra/repository.ts';
import { readAnnouncement } from '../../../shared/runtime/announcement.ts';
import { quantile } from '../../../shared/statistics/quantile.ts';
import { startEmulator } from '../../machine/emulatorProcess.ts';
import { openTable } from '../../machine/flagFlips.ts';
import { GENERATOR_CORE } from '../../machine/pinned.ts';
import { endInfo, formatInfo } from '../../measure/runInfo.ts';
import { makeSection } from '../../report/document.ts';
import { sectionsAsMarkdown } from '../../report/write.ts';
import { begin, benchCommand, none, progress, round } from '../benchmark.ts';
import { DoorClient } from './doorClient.ts';

/** What is counted: the kinds of violations, and the responses by which API Gateway reports that a function was throttled. */
const KINDS = ['lost', 'duplicate', 'stale', 'out of order', 'malformed', 'throttled'] as const;
const HEAD = ['case', 'clients/s', 'P50 s', 'P99 s', 'last s', 'refused handshakes', ...KINDS];
const CLIENTS = 200;
/** As a part of AWS's default quotas, and of 5,000 clients of which 500 or 1,000 connect each second. */
const PART = 1 / 25;
/** Pause between changes, in milliseconds. */
const CHANGE_MS = 2_000;
/** The watchdog of the systemd unit ends a process that does not answer after about this time, in milliseconds. */
const WATCHDOG_MS = 30_000;
const DEADLINE_MS = 240_000;

const { info, report } = begin(benchCommand('front-door'));
// In its own process, so that it does not delay the clients.
const emulator = await startEmulator(GENERATOR_CORE, [], 0, ['--aws', 'default', '--quotas', String(PART)]);
const { announcedIn = '' } = emulator.table;
const gateway = readAnnouncement(announcedIn)?.httpUrl ?? '';
const store = openTable(emulator.table);
const PORT = String(await freePort());
const door = await startDistribution({
  templates: synthesizeTemplates(readConfig(DOOR_SETTINGS)),
  addresses: { host: `http://127.0.0.1:${PORT}`, gateway, http: gateway },
});
const startHost = () => HostProcess.startLocal(announcedIn, { PORT, DRAIN_MS: '1', INSIGHT_FILE: '/dev/null' });
let host = await startHost();
const rows: (string | number)[][] = [];
const found: string[] = [];

/**
 * Measures 200 clients that connect at a rate, while flags change. Without an event, times begin with each client. Otherwise the event
 * follows when all clients have their flags, and times begin with it.
 */
async function measure(name: string, rate: number, event?: () => Promise<unknown>): Promise<number> {
  progress(name);
  const writes = new WriteLog();
  const counts = new Map<string, number>(KINDS.map((kind) => [kind, 0]));
  const report = (violation: Violation, what: string) => {
    const kind = what.includes('Internal server error') ? 'throttled' : violation;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (kind !== 'throttled') found.push(`${name}: ${violation}: ${what}`);
  };
  const workspace = await createWorkspace({ target: { ...door, store } }, writes);
  const clients: DoorClient[] = [];
  const areCurrent = async (since: (client: DoorClient) => number) => {
    const end = performance.now() + DEADLINE_MS;
    while (clients.some((client) => client.currentAt <= since(client)) && performance.now() < end) await sleep(10);
    return clients.map(
      (client) => (client.currentAt > since(client) ? client.currentAt - since(client) : Infinity) / 1_000,
    );
  };
  let isOver = false;
  const changing = (async () => {
    for (let n = 0; !isOver; n++) {
      writes.begin(`change-${n}`);
      const key = FLAG_KEYS[n % FLAG_KEYS.length] as string;
      const stored = await workspace.flag(key, () => markedFlag(key, `change-${n}`));
      writes.acknowledge(stored.map(itemOf), performance.now());
      await sleep(CHANGE_MS);
    }
  })();
  const beganAt = performance.now();
  for (let n = 0; n < CLIENTS; n++) {
    // A late client does not delay the others.
    await sleep(Math.max(0, beganAt + (n * 1_000) / rate - performance.now()));
    const deps = { name: `client ${n}`, writes, report, graceMs: PUSH_MS };
    clients.push(new DoorClient(n, (type) => workspace.url(type), deps));
  }
  const reached = (CLIENTS * 1_000) / (performance.now() - beganAt);
  let times = await areCurrent(({ startedAt }) => startedAt);
  if (event) {
    const at = performance.now();
    [times] = await Promise.all([areCurrent(() => at), event()]);
  }
  await sleep(2 * CHANGE_MS);
  isOver = true;
  await changing;
  await sleep(CHANGE_MS);
  for (const client of clients) client.leave();
  findLost(
    clients.flatMap(({ model }) => model.check.sessions),
    writes.acknowledged,
    PUSH_MS,
    report,
  );
  const refused = clients.reduce((sum, client) => sum + client.refused, 0);
  const seconds = [0.5, 0.99, 1].map((share) => round(quantile(times, share)));
  rows.push([name, round(reached), ...seconds, refused, ...counts.values()]);
  return refused;
}

const restart = async () => {
  await host.stop('SIGKILL');
  await sleep(1_000);
  host = await startHost();
};
await measure('the machine is gone', 20, () => host.stop('SIGKILL'));
host = await startHost();
await measure('the process is killed, and starts again after 1 s', 20, restart);
const errors = await measure('40 new clients a second, with a host', 40);
await host.stop('SIGKILL');
await measure('40 new clients a second, without a host', 40);
host = await startHost();
const hang = () => process.kill(host.pid, 'SIGSTOP');
await measure('the process hangs, is killed after 30 s, and starts again', 20, async () => {
  hang();
  await sleep(WATCHDOG_MS);
  await restart();
});
hang();
await measure('20 new clients a second, while the process hangs', 20);
await host.stop('SIGKILL');

const notes = [
  `${CLIENTS} clients have the pauses of FeatBit’s SDKs. A flag changes every ${CHANGE_MS / 1_000} s. The quotas are ${PART} of AWS’s defaults.`,
  'At its quota of concurrent executions, API Gateway answers with “Internal server error” (throttled). The function heal answers such data-syncs later.',
  'The emulator plays the front door. It assumes that CloudFront fails over for WebSocket handshakes.',
];
const table = { title: 'Time until all clients have current flags', head: HEAD, rows };
const bounds = [none('violations', found.length), none('errors with a host', errors)];
report([{ ...table, bounds, notes: found.slice(0, 10) }]);
const section = makeSection(table.title, { tables: [table], notes: [...notes, formatInfo(endInfo(info))] });
const page = join(repositoryRoot, 'docs/results/front-door.md');
writeFileSync(page, `# Front door results\n\n${sectionsAsMarkdown([section]).join('')}\n`);
await door.close();
store.close();
await emulator.stop();
process.exit();
