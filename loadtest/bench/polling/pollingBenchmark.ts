import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withCpu } from '../../../dev/support/usage.ts';
import { repositoryRoot } from '../../../infra/repository.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { userPath } from '../../../shared/command/userPath.ts';
import { lineThrough } from '../../../shared/statistics/lineThrough.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { readyPort, startServer } from '../../machine/serverProcess.ts';
import { Testbed, withGenerators } from '../../testbed/testbed.ts';
import { begin, benchCommand, progressOf, round } from '../benchmark.ts';

/** Poll intervals in milliseconds: after a change, by default, and a long one for the CPU time without polls. */
const INTERVALS = [10, 50, 500];
/** Until the code of the host is compiled. */
const WARM_UP_MS = 10_000;

const command = benchCommand('polling', 'docs/results/host/idle.json')
  .option('--seconds <n>', 'duration of each measurement', wholeNumber, 20)
  .option('--rounds <n>', 'number of rounds. The results are their medians', wholeNumber, 3)
  .option('--other <folder>', 'another clone of this repository, to compare its host', userPath);
const { options, report } = begin<{ seconds: number; rounds: number; other?: string }>(command);
const clones = [repositoryRoot, ...(options.other === undefined ? [] : [options.other])];
const cases = (['bun', 'node'] as const).flatMap((runtime) =>
  INTERVALS.flatMap((interval) =>
    clones.map((clone) => ({ runtime, interval, clone, cpuMs: [] as number[], polls: [] as number[] })),
  ),
);
const testbed = await Testbed.open();
const step = progressOf(options.rounds * cases.length);
try {
  for (let n = 0; n < options.rounds; n++) {
    for (const { runtime, interval, clone, cpuMs, polls } of cases) {
      step(`${runtime}, every ${interval} ms, ${clone}`);
      const file = join(relative(repositoryRoot, clone), 'functions/host/main.ts');
      const settings = { POLL_INTERVAL_MS: String(interval), FAST_POLL_MS: '0' };
      const host = startServer(testbed.table, settings, file, runtime);
      const port = await readyPort(host);
      const countPolls = async () => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        return Number(/^flagwire_table_reads_total (\d+)/m.exec(text)?.[1]);
      };
      await withGenerators(await testbed.targetOf(port), 1, async ([generator]) => {
        await generator.ask('storm', { rate: 1, count: 1 });
        await sleep(WARM_UP_MS);
        const before = await countPolls();
        const [, cpu] = await withCpu(host.pid, sleep(options.seconds * 1_000));
        cpuMs.push(1_000 * cpu);
        polls.push(((await countPolls()) - before) / options.seconds);
      });
      await host.stop();
    }
  }
} finally {
  await testbed.close();
}

const found = cases.map((each) => ({ ...each, cpuMs: round(median(each.cpuMs)), polls: round(median(each.polls)) }));
/** CPU time of a second with a runtime, by its polls. */
const lines = found.map(({ runtime, clone }) => {
  const same = found.filter((each) => each.runtime === runtime && each.clone === clone);
  return lineThrough(same.map(({ polls, cpuMs }) => [polls, cpuMs]));
});
const rows = found.map(({ runtime, interval, clone, polls, cpuMs }, n) => {
  // The same case of the other clone follows this one's.
  const other = clone === repositoryRoot ? n + clones.length - 1 : n;
  const ratios = [cpuMs / (found[other]?.cpuMs ?? 0), (lines[n]?.slope ?? 0) / (lines[other]?.slope ?? 0)].map(round);
  return [
    runtime,
    interval,
    clone === repositoryRoot ? 'this' : 'other',
    polls,
    cpuMs,
    round(lines[n]?.slope ?? 0),
    ...ratios,
  ];
});
const head = [
  'runtime',
  'interval, ms',
  'clone',
  'polls a second',
  'CPU ms a second',
  'CPU ms a poll',
  'ratio',
  'ratio a poll',
];
const [{ slope, intercept } = { slope: 0, intercept: 0 }] = lines;
const figures = { pollMs: round(slope), idleMs: round(intercept) };
report([{ title: 'CPU time of a host with one connection', head, rows }], figures);
process.exit();
