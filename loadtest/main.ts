import { join, relative } from 'node:path';
import { installManifest } from '../dev/support/installed.ts';
import { pinMyself } from '../dev/support/machine.ts';
import { onStop } from '../shared/command/stopOnSignals.ts';
import { addCompare } from './compare/command.ts';
import { compare } from './compare/compare.ts';
import { GENERATOR_CORE } from './machine/pinned.ts';
import { writeCampaigns } from './report/campaignReport.ts';
import { isCampaign, readCampaign } from './results/campaign.ts';
import { makeCampaign } from './runner/campaign.ts';
import { cloudWatchReader, readInstance } from './runner/cloudWatch.ts';
import { readLimits } from './runner/limits.ts';
import { createProgram, type Options, resolveLoad } from './runner/options.ts';
import { findExitCode, judge, nextStep, WrongArguments } from './runner/outcome.ts';
import { preflight } from './runner/preflight.ts';
import { Progress } from './runner/progress.ts';
import type { Scenario } from './runner/scenarios.ts';
import { openHost, openLocal, openRemote, type Target } from './runner/target.ts';
import type { LoadProfile } from './scenarios/loadProfile.ts';

/** Files that a host has open in addition to its connections. */
const HOST_FILES = 1_000;

/** Maximum number of hosts on one core. With more, the figures would not describe a host. */
const MOST_HOSTS = 4;

const progress = new Progress();
const interrupted = new AbortController();
const control = { progress, signal: interrupted.signal };
onStop(() => {
  progress.say('stopping; the measurements so far are kept (press again to stop immediately)');
  interrupted.abort();
});

try {
  const program = createProgram(run);
  addCompare(program, async (options) => {
    process.exitCode = await compare(options, control);
  });
  await program.parseAsync();
} catch (error) {
  progress.say(`loadtest: ${interrupted.signal.aborted ? 'interrupted.' : (error as Error).message}`);
  process.exitCode = findExitCode(error);
}

async function run(name: string, scenario: Scenario, options: Options): Promise<void> {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '');
  const out = options.out ?? join('dist', 'loadtest', `${name}-${time}`);
  if (!options.resume && isCampaign(out))
    throw new WrongArguments(`${out} already holds a campaign. Choose another --out, or continue it with --resume.`);
  const remote = openByUrl(options);
  const standard = options.target === 'local' ? scenario.localRates : scenario.defaults.rates;
  const rates = options.rates ?? standard;
  const runs = options.runs ?? (options.quick ? 1 : scenario.defaults.runs);
  if (options.target === 'local')
    progress.say(
      `npm start gets ${rates.join(', ')} new connections a second${rates === scenario.localRates ? ` instead of ${scenario.defaults.rates.join(', ')}` : ''}: ` +
        'it emulates AWS in one process. Its figures do not measure AWS, and are never compared with published ones.',
    );
  const plans = rates.map((rate) => scenario.profile(resolveLoad(scenario, options, rate)));
  if (remote) await preflight(remote.urls[0] ?? '', remote.clientKey);
  await installManifest('loadtest/artillery', progress.say);
  interrupted.signal.throwIfAborted();

  const target = remote ?? (await openTarget(options, plans));
  const order = { name, scenario, options, rates, runs, out, target };
  const results = await makeCampaign(order, control).finally(target.close);
  const campaign = readCampaign(out);
  const { text, page } = writeCampaigns(out, [campaign]);
  console.log(text);
  console.log(`Everything is in ${relative('.', out)}; the report is ${relative('.', page)}`);
  const next = nextStep(results, out);
  if (next !== undefined) console.error(next);
  process.exitCode = judge(results, campaign.facts.ensure);
}

/** Starts the target on this machine. @param plans of its runs @throws {WrongArguments} if it cannot have their connections open */
async function openTarget({ target }: Options, plans: readonly LoadProfile[]): Promise<Target> {
  if (process.platform === 'linux') pinMyself(GENERATOR_CORE);
  const peak = Math.max(...plans.map((plan) => plan.peak));
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

/** The target of a URL. Undefined if this command starts the target. @throws {WrongArguments} if the options do not name one */
function openByUrl(options: Options): Target | undefined {
  const { target: url, clientKey, instance, region } = options;
  if (url === 'host' || url === 'local') return undefined;
  if (!/^wss?:\/\//.test(url))
    throw new WrongArguments(`--target ${url} is neither host, nor local, nor a ws:// or wss:// URL.`);
  if (clientKey === undefined) throw new WrongArguments('a target by URL takes --client-key (or FLAGWIRE_CLIENT_KEY).');
  const readUsage = (from: Date, to: Date) => readInstance(cloudWatchReader(region), instance ?? '', from, to);
  return openRemote({ ...options, clientKey }, instance === undefined ? undefined : readUsage);
}
