import { setTimeout as sleep } from 'node:timers/promises';
import { loadDocuments } from '../../../shared/store/documents.ts';
import type { Document } from '../../../shared/store/item.ts';
import { Workspace } from '../../conformance/workspace.ts';
import { type PartResult, Problems } from '../part.ts';
import type { Progress } from '../progress.ts';
import { Random } from '../random.ts';
import { openService, type Service, type ServiceName } from '../service.ts';
import { FLAG_KEYS, KEY_IDS, markedFlag, SEGMENT_IDS, segmentOf } from './documents.ts';
import { compareAtRest, expectedItems, snapshotOf } from './expected.ts';
import { FAULTS, type Fault, type Report } from './faults.ts';
import { killAgain } from './kills.ts';
import { type Manner, Reader } from './reader.ts';
import { SlowTable } from './slowTable.ts';
import { findLost } from './stays.ts';
import { WriteLog } from './writeLog.ts';
import { itemOf, Writer } from './writer.ts';

/** What a run is asked for. */
export interface LinearizeOptions {
  readonly seed: number;
  /** How long there are faults. */
  readonly seconds: number;
  readonly readers: number;
  readonly writers: number;
}

/** How long after its acknowledgement a change may come to a reader that is connected. */
const PUSH_MS = 30_000;

/** How long readers have to come to rest when the faults are over. */
const REST_MS = 60_000;

/** For how long a push on API Gateway may be for the user before (readerCheck.ts); on the host never. */
const SETTLE_MS = { host: 0, gateway: 10_000 } as const;

const MANNERS: readonly Manner[] = [
  { type: 'server', switches: false },
  { type: 'client', switches: true },
  { type: 'client', switches: false },
];

/** Writers and readers on a service that is killed again and again: whatever readers are sent must follow from the writes. */
export async function linearize(
  target: ServiceName,
  options: LinearizeOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<PartResult> {
  const { seed, seconds } = options;
  const startedAt = performance.now();
  const found: Record<Fault, number> = { ...(Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as typeof found) };
  const problems = new Problems((text) => progress.say(`${target}: ${text} (seed ${seed})`));
  const report: Report = (fault, what) => {
    found[fault]++;
    problems.add(`${fault}: ${what}`);
  };
  const slowTable = new SlowTable(new Random(seed, 1));
  const service = await openService(target, (endpoint) => slowTable.open(endpoint));
  const writes = new WriteLog();
  let readers: Reader[] = [];
  try {
    const workspace = await createWorkspace(service, writes);
    const parts = { writes, report };
    readers = Array.from({ length: options.readers }, (_, n) => {
      const manner = MANNERS[n % MANNERS.length] as Manner;
      const name = `${manner.type} ${n}${manner.switches ? ', changing users' : ''}`;
      const settleMs = SETTLE_MS[target];
      const { wasSlow } = slowTable;
      return new Reader(workspace, manner, new Random(seed, 100 + n), { ...parts, name, settleMs, wasSlow });
    });
    const tables = () => service.target.tables;
    const { envId } = workspace;
    const writers = Array.from({ length: options.writers }, (_, n) => {
      return new Writer({ ...parts, name: `w${n}`, envId, tables, random: new Random(seed, 10 + n) });
    });

    const isOver = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
    let kills = 0;
    const tell = setInterval(() => progress.show(() => describe()), 1_000);
    const describe = () => {
      const elapsed = Math.round((performance.now() - startedAt) / 1_000);
      const faults = FAULTS.map((fault) => `${found[fault]} ${fault}`).join(', ');
      return `linearize ${target}: ${elapsed} s of ${seconds}, ${kills} kills, ${sum(writers, 'acknowledged')} writes, ${faults}`;
    };
    try {
      await Promise.all([
        ...writers.map((writer) => writer.run(isOver)),
        ...(target === 'host' ? [slowTable.run(isOver)] : []),
        killAgain(service, new Random(seed), (seconds * 1_000) / 3, isOver, () => kills++),
      ]);
    } finally {
      clearInterval(tell);
    }
    for (const reader of readers) reader.calm();
    if (!signal.aborted) await rest(service, envId, readers, report, signal);
    for (const reader of readers) reader.leave();
    const checks = readers.map(({ check }) => check);
    const slowest = findLost(
      checks.flatMap(({ stays }) => stays),
      writes.acknowledged,
      PUSH_MS,
      report,
    );
    return {
      part: 'linearize',
      target,
      seed,
      seconds: (performance.now() - startedAt) / 1_000,
      counts: {
        kills,
        ...(target === 'host' ? { 'times the table was slow': slowTable.spells } : {}),
        writes: sum(writers, 'acknowledged'),
        'writes that failed': sum(writers, 'failed'),
        syncs: sum(checks, 'syncs'),
        pushes: sum(checks, 'pushes'),
        ...found,
        'pushes for the user before, made good': sum(checks, 'leftovers'),
        'items again for a new user': sum(checks, 'repeats'),
        'slowest push, ms': Math.round(slowest),
        'slowest write, ms': Math.round(Math.max(...writers.map(({ counts }) => counts.slowestMs))),
      },
      problems: problems.count,
      examples: problems.examples,
    };
  } finally {
    for (const reader of readers) reader.leave();
    await service.close();
    slowTable.close();
  }
}

async function createWorkspace({ target }: Service, writes: WriteLog): Promise<Workspace> {
  writes.begin('initial');
  const workspace = await Workspace.create(target, [
    ...SEGMENT_IDS.map((id): Document => ({ kind: 'segment', document: segmentOf(id, KEY_IDS) })),
    ...FLAG_KEYS.map((key): Document => ({ kind: 'flag', document: markedFlag(key, 'initial') })),
  ]);
  const stored = await loadDocuments(target.tables, workspace.envId);
  writes.acknowledge(stored.map(itemOf), performance.now());
  return workspace;
}

/** Waits until every reader holds what the store holds. Reports what has not come to be when the time is over. */
async function rest(
  { target }: Service,
  envId: string,
  readers: readonly Reader[],
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const snapshot = snapshotOf(envId, await loadDocuments(target.tables, envId));
  for (const end = performance.now() + REST_MS; !signal.aborted; await sleep(100)) {
    const differences: Parameters<Report>[] = [];
    for (const { name, check } of readers) {
      const { holding, isInSync } = check;
      if (!holding || !isInSync) differences.push(['unanswered', `${name}: at rest it is not in sync`]);
      else {
        const expected = expectedItems(snapshot, holding.user);
        compareAtRest(name, expected, holding.replica, (...difference) => void differences.push(difference));
      }
    }
    if (differences.length > 0 && performance.now() < end) continue;
    for (const difference of differences) report(...difference);
    return;
  }
}

function sum<Name extends string>(
  all: readonly { readonly counts: Readonly<Record<Name, number>> }[],
  name: Name,
): number {
  return all.reduce((total, { counts }) => total + counts[name], 0);
}
