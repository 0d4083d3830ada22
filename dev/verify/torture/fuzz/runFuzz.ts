import { setTimeout as sleep } from 'node:timers/promises';
import { sumOf } from '../../../../shared/statistics/sumOf.ts';
import { SHARDS } from '../../../../shared/store/connections/connection.ts';
import { flagDocuments, simpleFlag, Workspace } from '../../conformance/workspace.ts';
import { openService } from '../openService.ts';
import { type PartOutcome, Problems, say } from '../part.ts';
import type { Service, ServiceName } from '../service.ts';
import { deliver } from './deliver.ts';
import { KINDS, type Kind, makeVisit, type Visit } from './visits.ts';
import { mebibytes, startWatch } from './watch.ts';

/** Targets that strangers can reach. Behind a TCP balancer are the same hosts. */
export const FUZZED = ['host', 'gateway'] as const satisfies readonly ServiceName[];
type FuzzedName = (typeof FUZZED)[number];

/** Memory limit of the process in MiB. npm start includes tables and functions. */
const MEMORY_MIB: Readonly<Record<FuzzedName, number>> = { host: 600, gateway: 1_000 };

/** Maximum time without an answer to the probe. */
const FREEZE_MS = 5_000;

/** Number of concurrent sessions, and of those that are named as the possible cause of a problem. */
const [LANES, SUSPECTS] = [32, 8];

/** Flags of the environment whose answers are not read: about 2 MB for a server-side SDK. */
const LARGE = Array.from({ length: 3_000 }, (_, n) => simpleFlag(`flag-${n}`));

/** Maximum time until no connection is left after all clients have left, and the time between two checks. */
const [LEAK_DEADLINE_MS, LEAK_CHECK_MS] = [30_000, 1_000];

/** Options of the fuzzer. */
export interface FuzzOptions {
  readonly seed: number;
  /** Minimum number of inputs. The last session is completed. */
  readonly inputs: number;
  /** Number of the first session. */
  readonly from: number;
}

/** Sends invalid input to a service. A probe that sends only valid input must always be answered. */
export async function fuzz(
  target: FuzzedName,
  { seed, inputs, from }: FuzzOptions,
  signal: AbortSignal,
): Promise<PartOutcome> {
  const problems = new Problems((text) => say(`${target}: ${text} (seed ${seed})`));
  const service = await openService(target);
  const dead = new AbortController();
  const isOver = AbortSignal.any([signal, dead.signal]);
  const sent = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  const sentInputs = () => sumOf(Object.values(sent), (count) => count);
  const open = new Set<Visit>();
  let next = from;
  let watch: ReturnType<typeof startWatch> | undefined;
  try {
    const workspace = await Workspace.create(service.target);
    const suspects = () => [...open].slice(0, SUSPECTS).map(({ number, kind }) => `${number} ${kind}`);
    const { streamingUrl } = service.target;
    const watching = startWatch(
      {
        process: service.process,
        probed: { streamingUrl, clientKey: workspace.clientKey, freezeMs: FREEZE_MS },
        memoryBytes: MEMORY_MIB[target] * 1024 * 1024,
      },
      (problem) => problems.add(`${problem} (open sessions: ${suspects().join(', ')})`),
      () => dead.abort(),
    );
    watch = watching;
    let large: Promise<Workspace> | undefined;
    const nextVisit = async (): Promise<Visit> => {
      const visit = makeVisit(seed, next++, workspace);
      // API Gateway buffers answers, so unread answers do not reach the service.
      if (visit.kind !== 'unread' || target === 'gateway') return visit;
      large ??= Workspace.create(service.target, flagDocuments(...LARGE));
      return makeVisit(seed, visit.number, await large);
    };
    const visitAgain = async () => {
      while (sentInputs() < inputs && !isOver.aborted) {
        await watching.untilInTime();
        const visit = await nextVisit();
        sent[visit.kind] += visit.inputs;
        open.add(visit);
        const problem = await deliver(service.port, visit);
        open.delete(visit);
        if (problem && service.process.isRunning) problems.add(`${problem} (session ${visit.number}, ${visit.kind})`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, visitAgain));
    await watching.stop();
    const { probe, resident } = watching.seen();
    if (probe.answered === 0) problems.add('the probe was never answered');
    const isAlive = service.process.isRunning && !signal.aborted;
    const left = isAlive ? await waitUntilNoLeaks(service, workspace) : 0;
    if (left !== 0) problems.add(`${left} connections by the service’s own count are left after all clients have left`);
    const counts = {
      inputs: sentInputs(),
      visits: next - from,
      ...sent,
      'probe: questions': probe.asked,
      'probe: answers': probe.answered,
      'probe: slowest answer, ms': Math.round(probe.slowestMs),
      'probe: answers after more than a second': probe.late,
      'resident at first, MiB': mebibytes(resident.first),
      'resident at most, MiB': mebibytes(resident.peak),
      'resident at last, MiB': mebibytes(resident.last),
      ...(isAlive && { 'connections by the service’s own count': left }),
    };
    return { part: 'fuzz', target, seed, counts, problems };
  } finally {
    await watch?.stop();
    await service.close();
  }
}

/**
 * Waits until no connection is left by the service's own count: that of the host's metrics, or of the gateway's table of connections.
 *
 * @returns the last count
 */
async function waitUntilNoLeaks({ target, port }: Service, workspace: Workspace): Promise<number> {
  for (const end = performance.now() + LEAK_DEADLINE_MS; ; await sleep(LEAK_CHECK_MS)) {
    // A connection that ended while its data-sync was handled leaves a row, which goes with the next push to it.
    await workspace.toggle('returns-true');
    const { connections } = target;
    const shards = Array.from({ length: SHARDS }, (_, shard) => connections?.loadShard(workspace.envId, shard));
    const left = connections
      ? sumOf(await Promise.all(shards), (found) => found?.connections.length ?? 0)
      : await countedByHost(port);
    if (left === 0 || performance.now() > end) return left;
  }
}

async function countedByHost(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^flagwire_connections (\d+)$/m.exec(metrics)?.[1]);
}
