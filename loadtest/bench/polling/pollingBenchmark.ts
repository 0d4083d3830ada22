import { relative } from 'node:path';
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
const cases = (['bun', 'node'] as const).flatMap((runtime) => INTERVALS.map((interval) => ({ runtime, interval })));
const found = cases.map((each) => ({
  ...each,
  hosts: clones.map(() => ({ cpuMs: [] as number[], polls: [] as number[] })),
}));
const testbed = await Testbed.open();
const step = progressOf(options.rounds * cases.length * clones.length);
try {
  for (let n = 0; n < options.rounds; n++) {
    for (const { runtime, interval, hosts } of found) {
      for (const [index, { cpuMs, polls }] of hosts.entries()) {
        step(`${runtime}, every ${interval} ms, ${index === 0 ? 'this clone' : 'the other clone'}`);
        const file = `${relative(repositoryRoot, clones[index] as string) || '.'}/functions/host/main.ts`;
        const host = startServer(
          testbed.table,
          { POLL_INTERVAL_MS: String(interval), FAST_POLL_MS: '0' },
          file,
          runtime,
        );
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
  }
} finally {
  await testbed.close();
}

const rows = found.map(({ runtime, interval, hosts: [ours, other] }) => {
  const [own = 0, its] = [ours, other].map((each) => each && median(each.cpuMs));
  const compared = its === undefined ? [] : [round(its), round(own / its)];
  return [runtime, interval, round(median(ours?.polls ?? [])), round(own), ...compared];
});
/** CPU time of a second, by its polls. */
const lineOf = (wanted: string) =>
  lineThrough(
    rows.flatMap(([runtime, , polls, cpuMs]) => (runtime === wanted ? [[Number(polls), Number(cpuMs)]] : [])),
  );
const { slope, intercept } = lineOf('bun');
const head = [
  'runtime',
  'interval, ms',
  'polls a second',
  'CPU ms a second',
  ...(clones.length > 1 ? ['other', 'ratio'] : []),
];
report([{ title: 'CPU time of a host with one connection', head, rows }], {
  pollMs: round(slope),
  idleMs: round(intercept),
  nodePollMs: round(lineOf('node').slope),
});
process.exit();
