import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { GENERATOR_CORE, pinMyself } from '../machine/pinned.ts';
import { writeReport } from '../report/write.ts';
import { readCampaign } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import { addStaged } from '../staged/command.ts';
import { runStaged } from '../staged/main.ts';
import { installArtillery } from './artillery.ts';
import { makeCampaign } from './campaign.ts';
import { cloudWatchReader, readInstance } from './cloudWatch.ts';
import { confirmCost } from './estimate.ts';
import { readLimits } from './limits.ts';
import { createProgram, loadOf, type Options } from './options.ts';
import { exitCodeOf, judge, WrongArguments } from './outcome.ts';
import { Progress } from './progress.ts';
import type { Scenario } from './scenarios.ts';
import { openHost, openLocal, openRemote, type Target } from './target.ts';

/** Files that a host has open beside its connections. */
const HOST_FILES = 1_000;

/** Hosts that share one core here; more would say nothing of a host. */
const MOST_HOSTS = 4;

const progress = new Progress();
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupted.signal.aborted) process.exit(130);
    progress.say('stopping; what was measured so far is kept (once more to stop at once)');
    interrupted.abort();
  });
}

try {
  const program = createProgram(run);
  addStaged(program, async (options) => {
    process.exitCode = await runStaged(options, progress, interrupted.signal);
  });
  await program.parseAsync();
} catch (error) {
  progress.say(`loadtest: ${(error as Error).message}`);
  process.exitCode = exitCodeOf(error);
}

async function run(name: string, scenario: Scenario, options: Options): Promise<void> {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const out = options.out ?? join('dist', 'loadtest', `${name}-${time}`);
  if (!options.resume && existsSync(join(out, 'campaign.json')))
    throw new WrongArguments(`${out} holds a campaign already: choose another --out, or go on with it by --resume.`);
  const rates = options.rates ?? (options.target === 'local' ? scenario.localRates : scenario.defaults.rates);
  const runs = options.runs ?? (options.quick ? 1 : scenario.defaults.runs);
  if (options.target === 'local')
    progress.say(
      `the gateway of npm start is asked for ${rates.join(', ')} new connections a second: it plays AWS in one process, and is no measure of it`,
    );
  const plans = rates.map((rate) => scenario.plan(loadOf(scenario, options, rate)));
  if (options.fargate !== undefined) confirmCost(Array(runs).fill(plans).flat(), options, (line) => progress.say(line));
  await installArtillery((line) => progress.say(line));

  const target = await openTarget(options, Math.max(...plans.map(({ peak }) => peak)));
  let results: readonly RunResult[];
  try {
    const order = { name, scenario, options, rates, runs, target, out };
    results = await makeCampaign(order, progress, interrupted.signal);
  } finally {
    await target.close();
  }
  const campaign = readCampaign(out);
  const { text, page } = writeReport(out, [campaign]);
  console.log(text);
  console.log(`Everything is in ${relative('.', out)}; the report is ${relative('.', page)}`);
  const { lines, exitCode } = judge(results, campaign.facts.ensure);
  for (const line of lines) console.error(line);
  process.exitCode = exitCode;
}

async function openTarget(options: Options, peak: number): Promise<Target> {
  const { target, http, clientKey, serverKey, pid, table, instance, region } = options;
  if (target === 'host' || target === 'local') {
    if (process.platform === 'linux') pinMyself(GENERATOR_CORE);
    const hosts = Math.ceil(peak / (readLimits().files - HOST_FILES));
    if (hosts > (target === 'local' ? 1 : MOST_HOSTS)) {
      throw new WrongArguments(
        `${peak} connections are more than ${target} can have open here: a process may open ${readLimits().files} files ` +
          '(ulimit -n). Raise that limit, or lower --rates, --ramp or --connections.',
      );
    }
    progress.say(`starting the target "${target}" with the benchmark’s flags`);
    return target === 'local' ? openLocal() : openHost(hosts);
  }
  if (!/^wss?:\/\//.test(target))
    throw new WrongArguments(`--target ${target} is neither host, nor local, nor a ws:// or wss:// URL.`);
  if (clientKey === undefined) throw new WrongArguments('a target by URL takes --client-key (or FLAGWIRE_CLIENT_KEY).');
  return openRemote({
    url: target,
    clientKey,
    pids: pid ?? [],
    ...(http !== undefined && { http }),
    ...(serverKey !== undefined && { serverKey }),
    ...(table !== undefined && { table }),
    ...(instance !== undefined && {
      readUsage: (from: Date, to: Date) => readInstance(cloudWatchReader(region), instance, from, to),
    }),
  });
}
