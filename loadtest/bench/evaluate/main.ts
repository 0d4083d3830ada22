import { describeMachine } from '../../../dev/support/machine.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { figure } from '../../report/document.ts';
import { disagreements } from './agreement.ts';
import { type CompilationCost, measureCompilation } from './compilation.ts';
import { hashContestants } from './hashes.ts';
import { judge, timingTable, type Verdict, verdictTable } from './report.ts';
import { race, type Schedule } from './rounds.ts';
import { flagwireSync, naiveSync, nodeSdkSync, type Sync } from './syncs.ts';
import { benchmark, largeEnvironment, thousandFlags, type Workload } from './workloads.ts';

interface Options {
  readonly rounds: number;
  readonly json?: boolean;
  readonly strict?: boolean;
}

const command = npmCommand(
  'bench:evaluate',
  'Measures evaluation: what a sync costs, what compiling costs, how MD5 is best taken.',
)
  .option('--rounds <n>', 'how many interleaved rounds', wholeNumber, 15)
  .option('--json', 'machine-readable results')
  .option('--strict', 'exit with 1 when a bound is missed')
  .addHelpText(
    'after',
    '\nResults go to stdout, progress to stderr.\n\nExit code: 0 done, 1 the contestants come to different results, 2 it could not be run.',
  );

try {
  process.exitCode = await main(command.parse().opts<Options>());
} catch (error) {
  progress((error as Error).message);
  process.exitCode = 2;
}

async function main({ rounds, json, strict }: Options): Promise<number> {
  const schedule = { rounds, sampleMs: 100 };
  progress('compiling 1,000 flags and 50 segments of 10,000 users');
  const { documents, users } = largeEnvironment();
  const compilation = measureCompilation(documents, users, rounds);
  const small = await measureSyncs("FeatBit's benchmark data set", benchmark(), schedule);
  const large = await measureSyncs('1,000 flags of 3 rules', thousandFlags(), schedule);
  if (!small || !large) return 1;

  progress('hashing');
  const hashes = await race(hashContestants(), schedule);
  const verdicts: Verdict[] = [
    judge('a sync of the benchmark data set', small[0]?.medianUs ?? Number.NaN, 5, 'µs'),
    judge('a sync of 1,000 flags of 3 rules', (large[0]?.medianUs ?? Number.NaN) / 1000, 1, 'ms'),
    judge('compiling 1,000 flags and 50 segments of 10,000 users', compilation.medianMs, 100, 'ms'),
    judge('heap while compiling them', compilation.peakMb, 100, 'MB'),
  ];
  const machine = { ...describeMachine(), node: process.version };
  if (json) console.log(JSON.stringify({ machine, rounds, syncs: { small, large }, compilation, hashes, verdicts }));
  else {
    console.log(`${machine.cpu}, ${machine.cores} cores, Node ${process.version}; ${rounds} interleaved rounds\n`);
    console.log(timingTable("one sync, FeatBit's benchmark data set (5 flags)", small, 'µs'));
    console.log(timingTable('one sync, 1,000 flags of 3 rules', large, 'µs'));
    console.log(timingTable('MD5, first four bytes', hashes, 'ns', 1000));
    console.log(`\n${describeCompilation(compilation)}\n`);
    console.log(verdictTable(verdicts));
  }
  return strict && verdicts.some(({ pass }) => !pass) ? 1 : 0;
}

/** Times the three ways to a reply; undefined, after saying why, when they disagree. */
async function measureSyncs(title: string, { documents, users }: Workload, schedule: Schedule) {
  progress(`${title}: comparing results`);
  const different = await disagreements(documents, users.slice(0, 200));
  if (different.length > 0) {
    progress([`${different.length} results differ:`, ...different.slice(0, 5)].join('\n'));
    return undefined;
  }
  progress(`${title}: timing`);
  const contestant = (name: string, sync: Sync) => ({
    name,
    run: (turn: number) => sync(users[turn % users.length] as string),
  });
  return race(
    [
      contestant('Flagwire: compiled, fragments joined', flagwireSync(documents)),
      contestant('naive: interpreted, JSON.stringify', naiveSync(documents)),
      contestant("FeatBit's Node SDK 1.3.0, JSON.stringify (fewer fields)", nodeSdkSync(documents)),
    ],
    schedule,
  );
}

function describeCompilation(cost: CompilationCost): string {
  return [
    'compiling 1,000 flags and 50 segments of 10,000 users, documents in hand:',
    `  first ${figure(cost.firstMs)} ms, median ${figure(cost.medianMs)} ms, min ${figure(cost.minMs)} ms`,
    `  heap ${figure(cost.heldMb)} MB held, ${figure(cost.peakMb)} MB at its peak with garbage`,
    `  evaluating it for 1,000 users then adds ${figure(cost.grownMb)} MB`,
  ].join('\n');
}

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
