import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDistribution } from '../../../dev/emulator/cloudfront/distribution.ts';
import { DOOR_SETTINGS } from '../../../dev/local/frontDoor.ts';
import { freePort } from '../../../dev/support/freePort.ts';
import { HostProcess } from '../../../dev/support/hostProcess.ts';
import { markedValue } from '../../../dev/support/sdkModel/message.ts';
import { PUSH_MS } from '../../../dev/support/sdkModel/sentState.ts';
import { findLost } from '../../../dev/support/sdkModel/sessions.ts';
import type { Violation } from '../../../dev/support/sdkModel/violation.ts';
import { WriteLog } from '../../../dev/support/sdkModel/writeLog.ts';
import { BrowserSdk, forgetBrowserStorage } from '../../../dev/verify/conformance/clients/browserSdk.ts';
import { NodeSdk } from '../../../dev/verify/conformance/clients/nodeSdk.ts';
import { FLAG_KEYS, markedFlag } from '../../../dev/verify/torture/linearize/documents.ts';
import { createWorkspace } from '../../../dev/verify/torture/linearize/fixture.ts';
import { itemOf } from '../../../dev/verify/torture/linearize/writer.ts';
import { Problems } from '../../../dev/verify/torture/part.ts';
import { checkPlans } from '../../../dev/verify/torture/plans/runPlans.ts';
import { runTick } from '../../../functions/plans/runTick.ts';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizeTemplates } from '../../../infra/inProcess.ts';
import { repositoryRoot } from '../../../infra/repository.ts';
import { readAnnouncement } from '../../../shared/runtime/announcement.ts';
import { quantile } from '../../../shared/statistics/quantile.ts';
import { COMMIT_WAIT_MS } from '../../../shared/store/table/commitWait.ts';
import { setTimeouts, until } from '../../../shared/testing/until.ts';
import { HINT_KEY } from '../../../shared/tier/tier.ts';
import { startEmulator } from '../../machine/emulatorProcess.ts';
import { openTable } from '../../machine/flagFlips.ts';
import { GENERATOR_CORE } from '../../machine/pinned.ts';
import { endInfo, formatInfo } from '../../measure/runInfo.ts';
import { makeSection } from '../../report/document.ts';
import { sectionsAsMarkdown } from '../../report/write.ts';
import { begin, benchCommand, progress, round } from '../benchmark.ts';
import { DoorClient } from './doorClient.ts';
import { playTier } from './playedTier.ts';

/** What is counted: the kinds of violations, and the responses by which API Gateway reports that a function was throttled. */
const KINDS = ['lost', 'duplicate', 'stale', 'out of order', 'malformed', 'throttled'] as const;
const HEAD = ['case', 'clients/s', 'P50 s', 'P99 s', 'last s', 'refused handshakes', ...KINDS];
const CLIENTS = 200;
/** New clients a second in most cases. */
const RATE = 20;
/** As a part of AWS's default quotas, and of 5,000 clients of which 500 or 1,000 connect each second. */
const PART = 1 / 25;
/** Pause between changes, in milliseconds. */
const CHANGE_MS = 2_000;
/** Time until a scheduled change, in milliseconds. */
const PLAN_MS = 200;
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
const config = readConfig(DOOR_SETTINGS);
const { startAt = 0, stopAt = 0 } = config.frontDoor ?? {};
const hints = new Map<string, string>();
const door = await startDistribution({
  templates: synthesizeTemplates(config),
  addresses: { host: `http://127.0.0.1:${PORT}`, gateway, http: gateway },
  store: hints,
});
const startHost = async () => {
  host = await HostProcess.startLocal(announcedIn, { PORT, DRAIN_MS: '1', INSIGHT_FILE: '/dev/null' });
};
let host!: HostProcess;
const rows: (string | number)[][] = [];
const found: string[] = [];
setTimeouts({ condition: DEADLINE_MS });

/** The clients of a case. */
interface Crowd {
  readonly clients: DoorClient[];
  /** Starts clients until there are 200. @returns the rate for each second that was reached */
  readonly fill: (rate: number) => Promise<number>;
  /** Waits until each client has current flags, and notes its time. */
  readonly settle: () => Promise<void>;
}

/**
 * Measures 200 clients that connect at a rate, while flags change, and five of FeatBit’s SDKs. Times begin with each client. If there is an
 * event, it follows when all clients have their flags, and times begin with it.
 *
 * @returns the status codes of refused handshakes
 */
async function measure(name: string, rate: number, event?: (crowd: Crowd) => Promise<unknown>): Promise<number[]> {
  progress(name);
  const writes = new WriteLog();
  const counts = new Map<string, number>(KINDS.map((kind) => [kind, 0]));
  const report = (violation: Violation, what: string) => {
    const kind = what.includes('Internal server error') ? 'throttled' : violation;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (kind !== 'throttled') found.push(`${name}: ${violation}: ${what}`);
  };
  const workspace = await createWorkspace({ target: { ...door, store } }, writes);
  const { envId } = workspace;
  forgetBrowserStorage();
  const users = ['published-1', 'published-2'].map((user) => BrowserSdk.start(workspace, user));
  const published = [...users, ...[1, 2, 3].map(() => NodeSdk.start(workspace))];
  // A failed start is reported at the end.
  for (const each of published) each.catch(() => {});
  const [all, clients, times]: [DoorClient[], DoorClient[], number[]] = [[], [], []];
  const settle = async () => {
    const end = performance.now() + DEADLINE_MS;
    while (clients.some(({ seconds }) => seconds === Infinity) && performance.now() < end) await sleep(10);
    times.push(...clients.map(({ seconds }) => seconds));
  };
  const fill = async (rate: number) => {
    const [beganAt, first] = [performance.now(), clients.length];
    while (clients.length < CLIENTS) {
      // A late client does not delay the others.
      await sleep(Math.max(0, beganAt + ((clients.length - first) * 1_000) / rate - performance.now()));
      const deps = { name: `client ${all.length}`, writes, report, graceMs: PUSH_MS };
      const client = new DoorClient(all.length, (type) => workspace.url(type), deps);
      all.push(client);
      clients.push(client);
    }
    return ((CLIENTS - first) * 1_000) / (performance.now() - beganAt);
  };
  let isOver = false;
  const marks = new Map<string, string>();
  const changing = (async () => {
    for (let n = 0; !isOver; n++) {
      const [key, mark] = [FLAG_KEYS[n % FLAG_KEYS.length] as string, `change-${n}`];
      writes.begin(mark);
      // Every second change is a plan, which a tick carries out.
      const at = n % 2 && Date.now() + PLAN_MS;
      const documents = at ? store.plans.scheduled(at, Date.now(), () => {}) : store.documents;
      let stored = await documents.writeFlag(envId, key, () => markedFlag(key, mark));
      if (at) {
        await sleep(2 * PLAN_MS);
        for (const { message } of await runTick(store.table)) report('lost', message);
        // A tick does not wait as a writer does. Until then, a host may answer from before the change.
        await sleep(COMMIT_WAIT_MS);
        stored = (await store.documents.load(envId)).filter(({ id }) => id === key);
      }
      writes.acknowledge(stored.map(itemOf), performance.now());
      marks.set(key, mark);
      await sleep(CHANGE_MS);
    }
  })();
  const reached = await fill(rate);
  await settle();
  if (event) {
    times.length = 0;
    restartClocks(clients);
    await event({ clients, fill, settle });
    if (times.length === 0) await settle();
  }
  await sleep(2 * CHANGE_MS);
  isOver = true;
  await changing;
  const check = async (sdk: NodeSdk | BrowserSdk) => {
    for (const [key, mark] of marks) await sdk.becomes(key, markedValue(mark, 'nobody'));
  };
  const checks = published.map((each) => each.then((sdk) => check(sdk).finally(() => sdk.close())));
  await Promise.all(checks.map((each) => each.catch(({ message }) => report('lost', message))));
  await sleep(CHANGE_MS);
  await checkPlans(store, envId, new Problems((text) => report('lost', text)));
  for (const client of clients) {
    client.leave();
    // At the quota of concurrent executions, API Gateway would forget some of them only when they expire.
    await sleep(10);
  }
  const sessions = all.flatMap(({ model }) => model.check.sessions);
  findLost(sessions, writes.acknowledged, PUSH_MS, report);
  const refusals = all.flatMap((client) => client.refusals);
  const seconds = [0.5, 0.99, 1].map((share) => round(quantile(times, share)));
  rows.push([name, round(reached), ...seconds, refusals.length, ...counts.values()]);
  return refusals;
}

const restartClocks = (clients: readonly DoorClient[]) => {
  for (const client of clients) client.begin();
};
const restart = async () => {
  await host.stop('SIGKILL');
  await sleep(1_000);
  await startHost();
};

/** The machine starts because of a crowd. Then API Gateway closes all connections, as it does within two hours. */
async function crossUp({ clients }: Crowd): Promise<void> {
  minutesToStart = await tier.reach('running');
  for (const client of clients) {
    client.lose();
    await sleep(1_000 / RATE);
  }
}

/** Most clients leave, and the machine stops. The others move to API Gateway, and new ones connect to it. */
async function crossDown({ clients, fill }: Crowd): Promise<void> {
  for (const client of clients.splice(stopAt - 10)) client.leave();
  await until(tier.connections, ({ gateway, host = Infinity }) => gateway + host < stopAt);
  await tier.reach('stopped', () => restartClocks(clients));
  await fill(RATE);
}

let minutesToStart = 0;
const tier = await playTier(store, { startAt, stopAt }, { start: startHost, stop: () => host.stop('SIGTERM') }, hints);

await measure('40 new clients a second, without a host', 40);
const gone = await measure('the same, then auto starts the machine', 40, crossUp);
const crossing = await measure('auto stops and starts the machine three times', RATE, async (crowd) => {
  for (const cross of [crossDown, crossUp, crossDown, crossUp, crossDown, crossUp]) {
    await cross(crowd);
    await crowd.settle();
  }
});
await measure('the process is killed, and starts again after 1 s', RATE, restart);
const errors = await measure('40 new clients a second, with a host', 40);
hints.set(HINT_KEY, 'gateway');
await measure('a wrong hint: API Gateway, although the host runs', RATE);
hints.set(HINT_KEY, 'host');
const hang = () => process.kill(host.pid, 'SIGSTOP');
await measure('the process hangs, is killed after 30 s, and starts again', RATE, async () => {
  hang();
  await sleep(WATCHDOG_MS);
  await restart();
});
await measure('the machine is gone', RATE, () => host.stop('SIGKILL'));
await startHost();
hang();
await measure('20 new clients a second, while the process hangs', RATE);
await host.stop('SIGKILL');

const unserved = [...gone, ...crossing].filter((status) => [502, 503, 504].includes(status)).length;
const notes = [
  `${CLIENTS} clients have the pauses of FeatBit’s SDKs. Five of FeatBit’s SDKs (2 for JavaScript, 3 for Node) connect too: they must have the last change of each flag (otherwise lost). A flag changes every ${CHANGE_MS / 1_000} s, half of the times by a scheduled change. The quotas are ${PART} of AWS’s defaults.`,
  `EC2 is played, and the minutes of auto are shorter. The machine started after ${minutesToStart} minutes with a crowd. Neither tier answered ${unserved} handshakes. Changes of the tier within 3 minutes: ${tier.hasty()}. Times of auto begin when a connection ends, or a client starts.`,
  'At its quota of concurrent executions, API Gateway answers with “Internal server error” (throttled). The function heal answers such data-syncs later.',
  'The hint is missing at first, and stale when the machine is gone. The emulator plays the front door: a stopped host refuses at once, and CloudFront is assumed to fail over for WebSocket handshakes.',
];
const table = { title: 'Time until all clients have current flags', head: HEAD, rows };
const bounds = [
  { name: 'violations', measured: found.length },
  { name: 'errors with a host', measured: errors.length },
  { name: 'handshakes that neither tier answered', measured: unserved },
  { name: 'changes of the tier within 3 minutes', measured: tier.hasty() },
];
report([{ ...table, bounds, notes: found.slice(0, 10) }]);
const section = makeSection(table.title, { tables: [table], notes: [...notes, formatInfo(endInfo(info))] });
const page = join(repositoryRoot, 'docs/results/front-door.md');
writeFileSync(page, `# Front door results\n\n${sectionsAsMarkdown([section]).join('')}\n`);
await door.close();
store.close();
await emulator.stop();
process.exit();
