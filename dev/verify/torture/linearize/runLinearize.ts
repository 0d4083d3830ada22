import { setTimeout as sleep } from 'node:timers/promises';
import { PUSH_MS } from '../../../support/sdkModel/sentState.ts';
import { findLost } from '../../../support/sdkModel/sessions.ts';
import { openService } from '../openService.ts';
import { type PartOutcome, Problems, say } from '../part.ts';
import { Random } from '../random.ts';
import type { Service, ServiceName } from '../service.ts';
import { waitForQuiescence } from './expected.ts';
import { FAULTS, type Fault, type Report } from './faults.ts';
import { type Fixture, type FixtureOptions, openFixture } from './fixture.ts';
import { SlowTable } from './slowTable.ts';

/** Options of a run. */
export interface LinearizeOptions extends FixtureOptions {
  /** Duration of the faults. */
  readonly seconds: number;
}

/** Runs writers and readers on a service that is killed repeatedly. All messages to readers must follow from the writes. */
export async function linearize(
  target: ServiceName,
  options: LinearizeOptions,
  signal: AbortSignal,
): Promise<PartOutcome> {
  const { seed, seconds } = options;
  const problems = new Problems((text) => say(`${target}: ${text} (seed ${seed})`));
  const found = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  const report: Report = (fault, what) => {
    found[fault]++;
    problems.add(`${fault}: ${what}`);
  };
  const slowTable = new SlowTable(new Random(seed, 1));
  const service = await openService(target, (endpoint) => slowTable.open(endpoint));
  let fixture: Fixture | undefined;
  const ends = { SIGKILL: 0, SIGTERM: 0 };
  try {
    fixture = await openFixture(service, options, slowTable.wasSlow, report);
    const { readers, writers, writes } = fixture;
    const isOver = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
    const onEnd = (end: End) => ends[end]++;
    await Promise.all([
      ...writers.map((writer) => writer.run(isOver)),
      ...(target === 'gateway' ? [] : [slowTable.run(isOver)]),
      killRepeatedly(service, new Random(seed), (seconds * 1_000) / 3, isOver, onEnd),
    ]);
    if (!signal.aborted) await waitForQuiescence(service.target.store, fixture, report, signal);
    for (const reader of readers) reader.leave();
    const checks = readers.map(({ model }) => model.check);
    const sessions = checks.flatMap((check) => check.sessions);
    const slowest = findLost(sessions, writes.acknowledged, PUSH_MS, report);
    return {
      part: 'linearize',
      target,
      seed,
      counts: {
        kills: ends.SIGKILL,
        ...(target === 'balanced' ? { drains: ends.SIGTERM } : {}),
        ...(target === 'gateway' ? {} : { 'times the table was slow': slowTable.spells }),
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
      problems,
    };
  } finally {
    for (const reader of fixture?.readers ?? []) reader.leave();
    await service.close();
    slowTable.close();
  }
}

function sum<Name extends string>(
  all: readonly { readonly counts: Readonly<Record<Name, number>> }[],
  name: Name,
): number {
  return all.reduce((total, { counts }) => total + counts[name], 0);
}

/** Minimum and maximum run time and down time of a process, in milliseconds. */
const LIVES_MS = [1_500, 30_000] as const;
const AWAY_MS = [0, 1_500] as const;

/** The end of a process: killed, or drained. */
type End = 'SIGKILL' | 'SIGTERM';

/** The ends of each service's processes, in turn. */
const ENDS: Readonly<Record<ServiceName, readonly [End, ...End[]]>> = {
  host: ['SIGKILL'],
  gateway: ['SIGKILL'],
  balanced: ['SIGKILL', 'SIGTERM'],
};

/**
 * Ends and starts a service's process repeatedly until the signal. Then the process runs. Most run times
 * are short, so that many connections, answers and deliveries are cut off. Some are long enough for all pushes.
 *
 * @param longestMs maximum run time
 * @throws when it does not start again
 */
async function killRepeatedly(
  service: Service,
  random: Random,
  longestMs: number,
  signal: AbortSignal,
  onEnd: (end: End) => void,
): Promise<void> {
  const ends = ENDS[service.name];
  for (let n = 0; ; n++) {
    const [least, most] = LIVES_MS;
    const life = Math.min(longestMs, least + (most - least) * random.next() ** 2);
    await sleep(life, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const end = ends[n % ends.length] ?? ends[0];
    await service.end(end);
    onEnd(end);
    await sleep(random.between(...AWAY_MS));
    await service.start();
  }
}
