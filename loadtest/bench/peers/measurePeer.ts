import { setTimeout as sleep } from 'node:timers/promises';
import { readUsage, withCpu } from '../../../dev/support/usage.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import type { EmulatorProcess } from '../../machine/emulatorProcess.ts';
import {
  GENERATOR_LIMITS,
  type Generator,
  LEAST_SATURATED,
  MOST_OPEN,
  saturate as saturateClients,
  withGenerators,
} from '../../testbed/testbed.ts';
import { changeAgain } from './changes.ts';
import type { FigureName, Sample } from './figures.ts';
import { askOnce, type HttpRequest, makeFlags, type Peer, type PeerServer, requestText, USER } from './peer.ts';

/** The load of a round. */
export const FULL = {
  rounds: 3,
  /** .NET compiles code for 20 s. */
  warmUpMs: 25_000,
  /** Idle clients, and how many of them open each second. */
  clients: 10_000,
  openPerSecond: 2_000,
  idleMs: 8_000,
  changes: 10,
  /** With the others an even number, so that the flag is on afterwards. */
  warmUpChanges: 6,
  /** Concurrent new clients. */
  inFlight: 256,
  newClientsMs: 4_000,
  /** Concurrent evaluations. */
  connections: 32,
  evaluationMs: 3_000,
};
type Load = typeof FULL;

export const QUICK: Load = {
  rounds: 1,
  warmUpMs: 300,
  clients: 100,
  openPerSecond: 500,
  idleMs: 500,
  changes: 1,
  warmUpChanges: 1,
  inFlight: 8,
  newClientsMs: 300,
  connections: 4,
  evaluationMs: 300,
};

/** Concurrent clients that warm up a server. */
const WARM_UP_CLIENTS = 64;
/** CPU figures refer to this number of clients. */
const REFERENCE_CLIENTS = 10_000;
/** Maximum length of a failure reason, in characters. */
const MOST_REASON = 300;
/** Pause between the warm-up and the measurement of HTTP requests. */
const SETTLE_MS = 100;

type Found = Partial<Record<FigureName, Sample>>;

/** Opens and closes clients, so that runtimes compile their code before a measurement. */
export function warmUp(server: PeerServer, ms: number): Promise<unknown> {
  const clients = { concurrency: WARM_UP_CLIENTS, held: WARM_UP_CLIENTS, warmUpMs: ms, measureMs: 1 };
  // Half as long again, it warms up itself.
  const polls = { open: WARM_UP_CLIENTS, isFresh: true, ms: (ms * 2) / 3 };
  return withGenerators<unknown>(server.target, 1, ([generator]) =>
    server.client.kind === 'featbit'
      ? generator.ask('saturate', clients)
      : saturate(server, generator, server.all, polls),
  );
}

/** Measures all figures of a peer once, on new and warm servers. If a part fails, its figures are missing. */
export async function measurePeer(peer: Peer, emulator: EmulatorProcess, load: Load) {
  const samples: [FigureName, Sample][] = [];
  const failed: string[] = [];
  let version = 'unknown';
  const part = async (name: string, measure: () => Promise<Found>) => {
    try {
      const found = Object.entries(await measure()) as [FigureName, Sample][];
      // Without /proc, and for a remote server, CPU and memory are unknown.
      samples.push(...found.filter(([, { value }]) => Number.isFinite(value)));
    } catch (error) {
      const [line = ''] = (error as Error).message.split('\n');
      failed.push(`${name}: ${line.slice(0, MOST_REASON)}`);
    }
  };
  for (const flags of [5, 300] as const) {
    await part(`with ${flags} flags`, async () => {
      const server = await peer.start(emulator, flags);
      version = server.version;
      try {
        const started = readUsage(server.pid).resident;
        await warmUp(server, load.warmUpMs);
        if (flags === 5) await part('idle clients and changes', () => measureIdle(server, load, started));
        await part(`evaluations of ${flags} flags`, () => measureEvaluations(server, flags, load));
        if (flags === 5) await part('new clients', () => measureNewClients(server, load));
      } finally {
        await server.stop();
      }
      return {};
    });
  }
  return { version, samples, failed };
}

/** Measures idle clients, and changes that reach them. @param started memory of the process before its first client, in bytes */
function measureIdle(server: PeerServer, load: Load, started: number): Promise<Found> {
  const { client, pid, target, change } = server;
  const figuresOf = (cpu: number): Found => ({
    startMemoryMb: { value: started / 2 ** 20 },
    idleProcessorPercent: { value: (100 * cpu * REFERENCE_CLIENTS) / load.clients },
  });
  return withGenerators(target, 1, async ([generator]) => {
    if (client.kind === 'polling') {
      const tag = (await askOnce(server, server.all)).headers.get('etag') ?? '';
      const request = requestText(server.all, { 'if-none-match': tag });
      const pace = { perSecond: load.clients / client.seconds };
      const polls = { addresses: target.addresses, request, status: 304, pace, isFresh: true, ms: load.idleMs };
      const [found, cpu] = await withCpu([pid], generator.ask('http', polls));
      requireNoErrors(found);
      return figuresOf(cpu);
    }
    requireNoErrors(await generator.ask('storm', { rate: load.openPerSecond, count: load.clients }));
    await generator.ask('ping', null);
    const [, cpu] = await withCpu([pid], sleep(load.idleMs));
    if (change === undefined) return figuresOf(cpu);
    const { changes, warmUpChanges: warmUp } = load;
    const { fromWrite } = await changeAgain(generator, load.clients, change, { changes, warmUp });
    if (fromWrite.length < changes)
      throw new Error(`${changes - fromWrite.length} of ${changes} changes did not reach all`);
    requireNoErrors(await generator.ask('tally', null));
    const arrivals = await generator.ask('arrivals', null);
    const bytes = sumOf(arrivals, (each) => each.bytes) / sumOf(arrivals, ({ count }) => count);
    return {
      ...figuresOf(cpu),
      changeMedianMs: { value: median(fromWrite) },
      changeSlowestMs: { value: Math.max(...fromWrite) },
      changeBytes: { value: bytes },
    };
  });
}

/** Measures the maximum rate of responses over a few connections that stay open. */
async function measureEvaluations(server: PeerServer, flags: 5 | 300, load: Load): Promise<Found> {
  const found = server.readTrue(await (await askOnce(server, server.all)).json());
  const lacking = makeFlags(flags, (name, percent) => (percent === 100 && !found.includes(name) ? [name] : [])).flat();
  if (lacking.length > 0) throw new Error(`these flags are not true in the answer: ${lacking.join(', ')}`);
  return withGenerators(server.target, 1, async ([generator]) => {
    const kept = { open: load.connections, isFresh: false, ms: load.evaluationMs };
    const one = await saturate(server, generator, server.one, kept);
    const all = await saturate(server, generator, server.all, kept);
    return {
      [`oneOf${flags}PerSecond`]: one.rate,
      [`oneOf${flags}P99Ms`]: one.p99,
      [`allOf${flags}PerSecond`]: all.rate,
      [`allOf${flags}P99Ms`]: all.p99,
      [`allOf${flags}Bytes`]: { value: all.bytes },
      ...(flags === 300 && { peakMemoryMb: { value: readUsage(server.pid).peakResident / 2 ** 20 } }),
    };
  });
}

/** Measures the maximum rate of new clients, each with its first flags. */
function measureNewClients(server: PeerServer, { inFlight, clients, newClientsMs: ms }: Load): Promise<Found> {
  const { target, client, pid, all } = server;
  return withGenerators(target, 1, async ([generator]) => {
    if (client.kind === 'polling') {
      const { rate } = await saturate(server, generator, all, { open: inFlight, isFresh: true, ms });
      return { newClientsPerSecond: rate };
    }
    const held = Math.min(MOST_OPEN, clients);
    const opening = { concurrency: inFlight, held, warmUpMs: ms, measureMs: ms };
    const [found, cpu] = await saturateClients(generator, [pid], opening);
    requireNoErrors(found);
    return { newClientsPerSecond: rateOf(found, cpu) };
  });
}

/** Sends a request for one user after another, after a warm-up. */
async function saturate(
  { target, pid }: PeerServer,
  generator: Generator,
  request: HttpRequest,
  { open, isFresh, ms }: { readonly open: number; readonly isFresh: boolean; readonly ms: number },
): Promise<{ rate: Sample; p99: Sample; bytes: number }> {
  const { addresses } = target;
  const load = { addresses, request: requestText(request), user: USER, status: 200, pace: { open }, isFresh };
  await generator.ask('http', { ...load, ms: ms / 2 });
  await sleep(SETTLE_MS);
  const [found, cpu] = await withCpu([pid], generator.ask('http', { ...load, ms }));
  requireNoErrors(found);
  return { rate: rateOf(found, cpu), p99: { value: found.p99Ms }, bytes: found.bytes };
}

function rateOf(found: { readonly perSecond: number; readonly cpu: number }, cpu: number): Sample {
  const isAtLeast = found.cpu > GENERATOR_LIMITS.cpu || cpu < LEAST_SATURATED;
  return { value: found.perSecond, cpu, isAtLeast };
}

function requireNoErrors({ errors, reasons }: { readonly errors: number; readonly reasons: readonly string[] }): void {
  if (errors > 0) throw new Error(`${errors} errors: ${reasons.join('; ') || 'no answer in time'}`);
}
