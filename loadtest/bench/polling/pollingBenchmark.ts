import { setTimeout as sleep } from 'node:timers/promises';
import { pinMyself } from '../../../dev/support/machine.ts';
import { withCpu } from '../../../dev/support/usage.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { lineThrough } from '../../../shared/statistics/lineThrough.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { startCachedTable } from '../../machine/emulatorProcess.ts';
import { GENERATOR_CORE } from '../../machine/pinned.ts';
import { readyPort, startServer } from '../../machine/serverProcess.ts';
import { flip } from '../../runner/flips.ts';
import { targetAt, withGenerators } from '../../testbed/testbed.ts';
import { begin, benchCommand, progressOf, round } from '../benchmark.ts';

/** Poll intervals in milliseconds: after a change, by default, and a long one for the CPU time without polls. */
const INTERVALS = [10, 50, 500];
/** After a change: a minute of fast polls, in which the host's code is compiled, and 20 s of its interval. */
const WARM_UP_MS = 80_000;

const command = benchCommand('polling', 'docs/results/host/idle.json')
  .option('--seconds <n>', 'duration of each measurement', wholeNumber, 60)
  .option('--rounds <n>', 'number of rounds. The results are their medians', wholeNumber, 1);
const { options, report } = begin<{ seconds: number; rounds: number }>(command);
const cases = (['bun', 'node'] as const).flatMap((runtime) =>
  INTERVALS.map((interval) => ({ runtime, interval, cpuMs: [] as number[], polls: [] as number[] })),
);
pinMyself(GENERATOR_CORE);
const { table, clientKey, stop } = await startCachedTable();
const once = { flag: 'returns-true', count: 1, everyMs: 0 };
const step = progressOf(options.rounds * cases.length);
try {
  for (let n = 0; n < options.rounds; n++) {
    for (const { runtime, interval, cpuMs, polls } of cases) {
      step(`${runtime}, every ${interval} ms`);
      const host = startServer(table, { POLL_INTERVAL_MS: String(interval) }, undefined, runtime);
      const port = await readyPort(host);
      const countPolls = async () => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        return Number(/^flagwire_table_reads_total (\d+)/m.exec(text)?.[1]);
      };
      await withGenerators(await targetAt(port, clientKey), 1, async ([generator]) => {
        await generator.ask('storm', { rate: 1, count: 1 });
        await flip({ table, clientKey }, once, () => {}, new AbortController().signal);
        await sleep(WARM_UP_MS);
        const before = await countPolls();
        const [, cpu] = await withCpu([host.pid], sleep(options.seconds * 1_000));
        cpuMs.push(1_000 * cpu);
        polls.push(((await countPolls()) - before) / options.seconds);
      });
      await host.stop();
    }
  }
} finally {
  await stop();
}

const found = cases.map((each) => ({ ...each, cpuMs: round(median(each.cpuMs)), polls: round(median(each.polls)) }));
/** CPU time of a second with a runtime, by its polls. */
const lineOf = (runtime: string) => {
  const same = found.filter((each) => each.runtime === runtime);
  return lineThrough(same.map(({ polls, cpuMs }) => [polls, cpuMs]));
};
const rows = found.map(({ runtime, interval, polls, cpuMs }) => {
  return [runtime, interval, polls, cpuMs, round(lineOf(runtime).slope)];
});
const head = ['runtime', 'interval, ms', 'polls a second', 'CPU ms a second', 'CPU ms a poll'];
const { slope, intercept } = lineOf('bun');
const figures = { pollMs: round(slope), idleMs: round(intercept) };
report([{ title: 'CPU time of a host with one connection', head, rows }], figures);
process.exit();
