import { mkdirSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeCommit, describeMachine, type Machine } from '../../dev/support/machine.ts';
import { BUSY_SHARE } from '../measure/bottlenecks.ts';
import { OtherPrograms } from '../measure/otherPrograms.ts';
import { type CampaignFacts, isDisturbed, runDirectory, usable, writeCampaign } from '../results/campaign.ts';
import { checkGates, formatGate } from '../results/gates.ts';
import type { RunFiles } from '../results/runFiles.ts';
import { type RunResult, readRun } from '../results/runResult.ts';
import type { LoadProfile } from '../scenarios/loadProfile.ts';
import { artilleryVersion } from './artillery.ts';
import { fargateFleet } from './fargate.ts';
import { findMax } from './findMax.ts';
import { type Options, resolveLoad } from './options.ts';
import { fetchEnvironment, preflight } from './preflight.ts';
import { type Control, describeRun, type Progress } from './progress.ts';
import { resume, runName } from './resume.ts';
import { type LoadSource, makeRun, type Run, thisMachine } from './run.ts';
import type { Scenario } from './scenarios.ts';
import { serverSide } from './serverSide.ts';
import type { Target } from './target.ts';

/** Pause between runs, so that the last connections of one run do not overlap with the next. */
const PAUSE_MS = 3_000;

/** CPU limit of the base capacity, from StormForge's test. */
const BASE_CPU_PERCENT = 80;

/** Hold time in a search for the base capacity if CloudWatch measures the target. */
const BASE_HOLD_S = 180;

/** Time to observe other programs before the first run. */
const LOOK_MS = 1_000;

/** Runs of one scenario at several rates against one target. */
export interface CampaignOrder {
  readonly name: string;
  readonly scenario: Scenario;
  readonly options: Options;
  readonly rates: readonly number[];
  readonly runs: number;
  readonly target: Target;
  readonly out: string;
  /** The load generator. By default this machine, or the Fargate workers of the options. */
  readonly source?: LoadSource;
  /** The runs to make in this call, in this order. By default all, rate by rate. */
  readonly only?: readonly (readonly [rate: number, number: number])[];
  /** A run before the others, whose figures are discarded. */
  readonly warmUp?: LoadProfile;
  /** Maximum number of attempts at a run that other programs disturb. The last attempt is kept. */
  readonly attempts?: number;
}

/** The facts of a campaign before its target has started, without the notes on the target. */
function describeCampaign(
  { name, scenario, options, rates, runs }: Pick<CampaignOrder, 'name' | 'scenario' | 'options' | 'rates' | 'runs'>,
  target: string,
  machine: Machine = describeMachine(),
): CampaignFacts {
  const load = resolveLoad(scenario, options, rates[0] ?? 0);
  return {
    scenario: name,
    target,
    startedAt: new Date().toISOString(),
    parameters: { ...load, rate: undefined, rates, runs, users: options.users },
    ensure: [...scenario.profile(load).ensure, ...(options.ensure ?? [])],
    machine,
    versions: { node: process.version, artillery: artilleryVersion(), commit: describeCommit() },
    notes: [],
  };
}

/**
 * Makes all runs of a campaign in sequence and stores each. A resumed campaign skips the runs that it has.
 *
 * @returns the results; after an interruption those of the runs so far
 */
export async function makeCampaign(order: CampaignOrder, control: Control): Promise<RunResult[]> {
  const { name, scenario, options, rates, runs, target, out, only, warmUp, attempts = 1 } = order;
  const { progress, signal } = control;
  const { fargate: count } = options;
  const local = count === undefined ? thisMachine(target, options) : fargateFleet({ ...options, count });
  const { source = local } = order;
  mkdirSync(out, { recursive: true });
  const planAt = (rate: number) => scenario.profile(resolveLoad(scenario, options, rate));
  const plans = rates.map(planAt);
  const begun = { ...describeCampaign(order, target.name, source.machine), notes: target.notes };
  const { ensure } = begun;
  if (source.isHere) await lookForOthers(target, progress);
  // A target with known flags may be unreachable from here.
  if (!target.environment) await preflight(target.urls[0] ?? '', target.clientKey);
  const environment = target.environment ?? (await fetchEnvironment(target));
  const server = plans[0] && (await serverSide(plans[0], target, environment));
  const { facts: campaign, kept } = options.resume
    ? resume(out, begun, only !== undefined)
    : { facts: begun, kept: new Map() };
  writeCampaign(out, campaign);
  if (kept.size > 0 && !only) progress.say(`continuing after ${kept.size} of ${rates.length * runs} runs`);

  const results: RunResult[] = [];
  let isFirst = true;
  const measure = async (rate: number, number: number, plan: LoadProfile, directory: string): Promise<RunResult> => {
    if (!isFirst) await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    isFirst = false;
    const { flips, flipEveryS } = resolveLoad(scenario, options, rate);
    const run: Run = {
      facts: {
        ...{ scenario: name, rate, number, plan: { ...plan, ensure } },
        ...{ workers: source.workers(plan, rate), cores: source.cores },
      },
      ...{ target, environment, server },
      ...(options.users !== undefined && { users: options.users }),
      ...('flips' in scenario.defaults && {
        flipping: { flag: options.flag, count: flips, everyMs: flipEveryS * 1_000 },
      }),
      ...(scenario.stopsWhenUnhealthy && { isEnough: (files: RunFiles) => unhealthy(files, ensure) }),
    };
    const result = await makeRun(source, run, directory, control);
    progress.say(describeRun(result));
    for (const gate of usable([result]).flatMap((each) => checkGates(each, ensure))) {
      if (!gate.isKept) progress.say(`  ${formatGate(gate)}`);
    }
    return result;
  };
  const attempt = async (rate: number, number: number, plan: LoadProfile): Promise<RunResult> => {
    const directory = runDirectory(out, rate, number);
    let result = await measure(rate, number, plan, directory);
    for (let n = 1; n < attempts && isDisturbed(result) && !signal.aborted; n++) {
      progress.say('  other programs disturbed this run; repeating it');
      rmSync(directory, { recursive: true });
      result = await measure(rate, number, plan, directory);
    }
    results.push(result);
    return result;
  };
  /** Whether a run met all thresholds. Undefined if it does not count. */
  const judge = (result: RunResult, isMeasured = true, more: LoadProfile['ensure'] = []) =>
    signal.aborted || usable([result]).length === 0 || !isMeasured ? undefined : keepsAll(result, [...ensure, ...more]);

  /** Measures how many clients one target carries at 80 % CPU, before the stages. */
  const findBase = async (goal: number): Promise<void> => {
    if (target.pids.length === 0 && !target.readUsage) {
      progress.say('base capacity not measured: name the server with --instance, --ecs-service or --pid');
      return;
    }
    const { goal: _, ...load } = options.load ?? {};
    const loadAt = (rate: number) => resolveLoad(scenario, { ...options, load }, rate);
    // Runs of the search are stored separately, and repeated when a campaign is resumed.
    const folder = join(out, 'base');
    rmSync(folder, { recursive: true, force: true });
    const { rate, limitedBy } = await findMax(scenario.defaults.rates[0] ?? 1, async (rate) => {
      const load = loadAt(rate);
      // CloudWatch measures by the minute.
      const durationS = target.readUsage ? Math.max(load.durationS, load.rampS + BASE_HOLD_S) : load.durationS;
      const result = await measure(rate, 1, scenario.profile({ ...load, durationS }), join(folder, String(rate)));
      return judge(result, Number.isFinite(result.server?.cpuHold), [{ 'cpu.percent': BASE_CPU_PERCENT }]);
    });
    const clients = rate * loadAt(rate).rampS;
    const limit = limitedBy && ` or more: the search stopped because of ${limitedBy}, or because CPU was not measured`;
    const units = `; ${goal.toLocaleString('en')} clients need ${Math.ceil(goal / clients)} times as much`;
    const found = `${clients.toLocaleString('en')} clients at ${BASE_CPU_PERCENT} % CPU${limit ?? ''}`;
    progress.say(`base capacity: ${found}${clients > 0 ? units : ''}`);
  };
  if (options.findMax) {
    const found = await findMax(rates[0] ?? 100, async (rate) => judge(await attempt(rate, 1, planAt(rate))));
    progress.say(`highest rate that met all thresholds: ${found.rate} a second`);
    if (found.limitedBy !== undefined)
      progress.say(`  this may not be the limit: the search stopped because of ${found.limitedBy}`);
    return results;
  }
  const { goal } = options.load ?? {};
  if (goal !== undefined) await findBase(goal);
  if (warmUp) {
    const directory = join(out, 'warm-up');
    rmSync(directory, { recursive: true, force: true });
    progress.say('warm-up, not counted:');
    await measure(rates[0] ?? 0, 0, warmUp, directory);
  }
  const all = rates.flatMap((rate) => Array.from({ length: runs }, (_, n) => [rate, n + 1] as const));
  for (const [rate, number] of only ?? all) {
    if (signal.aborted) break;
    const before = kept.get(runName(rate, number));
    if (before) results.push(before);
    const result = before ?? (await attempt(rate, number, planAt(rate)));
    if (scenario.isStaged && !keepsAll(result, ensure)) {
      const stage = rates.indexOf(rate) + 1;
      progress.say(`stopped at stage ${stage} of ${rates.length}: ${rate} new connections a second`);
      break;
    }
  }
  return results;
}

/** Warns about other programs on this machine before any load is sent. */
async function lookForOthers({ pids }: Target, progress: Progress): Promise<void> {
  const others = new OtherPrograms(pids);
  await sleep(LOOK_MS);
  const share = others.share() ?? 0;
  if (share < BUSY_SHARE) return;
  progress.say(
    `other programs use ${Math.round(share * 100)} % of this machine's processors (load average ${loadavg()[0]?.toFixed(1)}). ` +
      'Times will be longer, and disturbed runs are discarded. Stop these programs, or measure on another machine.',
  );
}

/** Returns true if a run is usable and meets all thresholds. */
function keepsAll(result: RunResult, ensure: LoadProfile['ensure']): boolean {
  return usable([result]).length > 0 && checkGates(result, ensure).every(({ isKept }) => isKept);
}

function unhealthy(files: RunFiles, ensure: LoadProfile['ensure']): string | undefined {
  const broken = checkGates(readRun(files), ensure).find(({ isKept, measured }) => !isKept && !Number.isNaN(measured));
  return broken && `no longer healthy: ${formatGate(broken)}`;
}
