import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { compileSnapshot } from '../../../shared/evaluation/snapshot.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { type Bound, begin, benchCommand, progress, type Result, round } from '../benchmark.ts';
import { race } from './rounds.ts';
import { findDifferences, flagwireSync, nodeSdkSync, readUser, type Sync } from './syncs.ts';
import { benchmarkWorkload, generatedWorkload, type Workload } from './workloads.ts';

const LARGE = 'compiling 1,000 flags and 50 segments of 10,000 users';

const command = benchCommand('evaluate').option('--rounds <n>', 'interleaved rounds', wholeNumber, 15);
const { options, report } = begin<{ rounds: number }>(command);
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

progress(LARGE);
report([measureCompilation(generatedWorkload(1_000, 50, 10_000))]);
const microseconds = { atMost: 5, unit: 'µs' };
report([await measureSyncs('A sync of FeatBit’s benchmark data set (5 flags)', benchmarkWorkload(), microseconds)]);
const millisecond = { atMost: 1_000, unit: 'µs' };
report([await measureSyncs('A sync of 1,000 flags of 3 rules', generatedWorkload(1_000, 10, 100), millisecond)]);
process.exit();

/** Times both ways to a reply, in turns. @throws Error when they come to different values */
async function measureSyncs(title: string, workload: Workload, bound: Pick<Bound, 'atMost' | 'unit'>): Promise<Result> {
  progress(title);
  const { documents, users } = workload;
  const different = await findDifferences({ documents, users: users.slice(0, 200) });
  if (different.length > 0) throw new Error(`${different.length} values differ: ${different.slice(0, 3).join('; ')}`);
  const contestant = (name: string, sync: Sync) => ({
    name,
    run: (turn: number) => sync(users[turn % users.length] as string),
  });
  const timings = await race(
    [
      contestant('Flagwire: compiled, fragments joined', flagwireSync(documents)),
      contestant('FeatBit’s Node SDK, JSON.stringify (fewer fields)', nodeSdkSync(documents)),
    ],
    { rounds: options.rounds, sampleMs: 100 },
  );
  const own = timings[0]?.medianUs ?? Number.NaN;
  const rows = timings.map(({ name, medianUs, minUs }) => [
    name,
    round(medianUs),
    round(minUs),
    `${round(medianUs / own)}×`,
  ]);
  return {
    title,
    head: ['', 'median µs', 'min µs', 'ratio'],
    rows,
    bounds: [{ name: 'a sync', measured: own, ...bound }],
  };
}

/** Compiles several times from scratch, then evaluates for all users. */
function measureCompilation({ documents, users }: Workload): Result {
  const times: number[] = [];
  let [heldMb, peakMb] = [0, 0];
  let snapshot = compileSnapshot({ envId: 'benchmark', version: 0, flags: [], segments: [] });
  for (let n = 0; n < options.rounds; n++) {
    snapshot = compileSnapshot({ envId: 'benchmark', version: 0, flags: [], segments: [] });
    const before = heapMb();
    const startedAt = performance.now();
    snapshot = compileSnapshot({ envId: 'benchmark', version: 1, ...documents });
    times.push(performance.now() - startedAt);
    peakMb = Math.max(peakMb, process.memoryUsage().heapUsed / 1e6 - before);
    heldMb = Math.max(heldMb, heapMb() - before);
  }
  const parsed = users.map(readUser);
  const before = heapMb();
  for (const user of parsed) for (const flag of snapshot.flags) void flag.evaluate(user).clientJson;
  const grownMb = heapMb() - before;
  const ms = median(times);
  return {
    // What is read here stays on the heap until now.
    title: `Compiling ${snapshot.flags.length} flags and ${documents.segments.length} segments of 10,000 users`,
    head: ['first ms', 'median ms', 'heap MB held', 'at its peak', `more after ${users.length} users`],
    rows: [[times[0] ?? Number.NaN, ms, heldMb, peakMb, grownMb].map(round)],
    bounds: [
      { name: 'median', measured: ms, unit: 'ms', atMost: 100 },
      { name: 'heap at its peak', measured: peakMb, unit: 'MB', atMost: 100 },
    ],
  };
}

/** Megabytes in use on the heap once all garbage is collected. */
function heapMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}
