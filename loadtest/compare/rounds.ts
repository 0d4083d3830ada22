import { join } from 'node:path';
import type { CampaignOrder } from '../runner/campaignRuns.ts';
import { resolveLoad } from '../runner/options.ts';
import { SCENARIOS } from '../runner/scenarios.ts';
import type { Load, LoadProfile } from '../scenarios/loadProfile.ts';
import type { MeasurableDesign } from './designs.ts';

/** Options of a comparison. */
export interface CompareOptions {
  readonly target: readonly string[];
  readonly quick?: boolean;
  readonly rates?: readonly number[];
  readonly runs?: number;
  readonly fullRuns?: number;
  /** Maximum duration of this part of the comparison. */
  readonly minutes: number;
  readonly out?: string;
  readonly resume?: boolean;
}

/** Short runs at each rate. Each round makes one of each design at each rate. */
const ROUNDS = 5;

/** Maximum number of attempts at a run that other programs disturb. */
const ATTEMPTS = 3;

/** The run before each round of a design, in seconds: the first connections of a new process are slower. */
const WARM_UP = { rampS: 15, durationS: 18 };

/** Connections that receive changes, number of changes, and seconds between changes. */
const CHANGES = { connections: 10_000, flips: 10, flipEveryS: 5 };
const QUICK_CHANGES = { connections: 2_000, flips: 5, flipEveryS: 2 };

/** Time between runs, and to start and stop a target. */
const OVERHEAD_S = 12;

/** One campaign of a design, with the profiles of all its runs. */
type Part = Omit<CampaignOrder, 'target'> & { readonly profiles: readonly LoadProfile[] };

/** What is measured of a design without a break. */
export interface Step {
  readonly design: MeasurableDesign;
  readonly part: Part;
  readonly only: NonNullable<CampaignOrder['only']>;
}

/** Rates that a comparison is asked for, in new connections a second. */
export function ratesOf({ rates }: CompareOptions): readonly number[] {
  return rates ?? SCENARIOS.reference.defaults.rates;
}

/** The campaigns of a design, each with its own folder. */
export type PartName = 'short' | 'full' | 'changes';

/** The campaigns of a design: short runs, runs of full length, and changes to many clients. Several of full length replace short ones. */
function partsOf(
  { name: design, part }: MeasurableDesign,
  options: CompareOptions,
  out: string,
): Record<PartName, Part> {
  const { quick = false, runs = quick ? 1 : ROUNDS, fullRuns = 1 } = options;
  const rates = ratesOf(options).map((rate) => rate * part);
  const { connections, ...flips } = quick ? QUICK_CHANGES : CHANGES;
  const make = (
    folder: PartName,
    runs: number,
    rates: readonly number[],
    isShort: boolean,
    load: Partial<Load>,
  ): Part => {
    const name = folder === 'changes' ? 'push' : 'reference';
    const scenario = SCENARIOS[name];
    const base = { target: design, flag: 'returns-true', region: '', cpu: 0, memory: 0, quick: isShort, load };
    const profileAt = (rate: number, more: Partial<Load> = {}) =>
      scenario.profile({ ...resolveLoad(scenario, base, rate), ...more });
    return {
      name,
      scenario,
      rates,
      runs,
      attempts: quick ? 1 : ATTEMPTS,
      options: base,
      out: join(out, design, folder),
      profiles: Array(runs)
        .fill(rates.map((rate) => profileAt(rate)))
        .flat(),
      ...(name === 'reference' && { warmUp: profileAt(rates[0] ?? 0, WARM_UP) }),
    };
  };
  const [lowest = 0] = rates;
  const pushRates = SCENARIOS.push.defaults.rates.map((rate) => Math.min(rate * part, lowest));
  return {
    short: make('short', fullRuns > 1 && !quick ? 0 : runs, rates, true, {}),
    full: make('full', quick ? 0 : fullRuns, rates, false, {}),
    changes: make('changes', 1, pushRates, quick, { ...flips, connections: connections * part }),
  };
}

/** All rounds: the short runs, the runs of full length, and the changes. The order of designs and rates rotates from round to round. */
export function roundsOf(designs: readonly MeasurableDesign[], options: CompareOptions, out: string): Step[][] {
  const all = designs.map((design) => ({ design, parts: partsOf(design, options, out) }));
  const numbers = (name: PartName) =>
    Array.from({ length: all[0]?.parts[name].runs ?? 0 }, (_, n) => [name, n + 1] as const);
  return [...numbers('short'), ...numbers('full'), ...numbers('changes')].map(([name, number], round) =>
    rotate(all, round).map(({ design, parts }) => ({
      design,
      part: parts[name],
      only: rotate(parts[name].rates, round).map((rate) => [rate, number] as const),
    })),
  );
}

function rotate<T>(values: readonly T[], by: number): T[] {
  const at = by % Math.max(1, values.length);
  return [...values.slice(at), ...values.slice(0, at)];
}

/** The duration of a step in seconds, with its warm-up. */
export function stepSeconds({ part: { profiles, warmUp, runs } }: Step): number {
  return secondsOf(warmUp ? [warmUp] : []) + secondsOf(profiles) / runs;
}

/** The total duration of runs in sequence. */
export function secondsOf(profiles: readonly LoadProfile[]): number {
  return profiles.reduce((sum, { durationS }) => sum + durationS + OVERHEAD_S, 0);
}
