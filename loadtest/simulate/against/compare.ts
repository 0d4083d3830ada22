import { parseMix } from '../../scenarios/sdks.ts';
import { accountOf } from '../quotas/account.ts';
import { count, seconds } from '../result/rows.ts';
import { spreadOf } from '../result/spread.ts';
import { deliverySettings } from '../scenarios/deliverySettings.ts';
import { push } from '../scenarios/push.ts';
import { storm } from '../scenarios/storm.ts';
import { expectedTimes } from '../scenarios/times.ts';
import type { Population } from '../scenarios/world.ts';
import { CROWD, type Measured, SMALL } from './run.ts';

/** How far the simulation may be off. */
export const TOLERANCE = 0.15;

/** A figure of the emulator's, and the simulation's. */
export interface Compared {
  readonly scenario: 'storm' | 'push';
  readonly connections: number;
  readonly figure: 'P50' | 'P99' | 'all';
  readonly emulatorMs: number;
  readonly simulatedMs: number;
}

export const isClose = ({ emulatorMs, simulatedMs }: Compared): boolean =>
  Math.abs(simulatedMs - emulatorMs) <= TOLERANCE * emulatorMs;

/** Simulates what the emulator ran: the same quotas, the times that it took while nothing held it up. */
export function compare(
  connections: number,
  { times, storm: stormed, push: pushed }: Measured,
  seed: number,
): Compared[] {
  const mix = parseMix('js-client').map((sdk) => ({ ...sdk, pingSeconds: CROWD.pingSeconds }));
  const free = { perSecond: Number.MAX_SAFE_INTEGER, burst: Number.MAX_SAFE_INTEGER };
  const unbound = { reads: 1e9, writes: 1e9, partitionReads: 1e9, partitionWrites: 1e9 };
  const account = accountOf(SMALL);
  const population: Population = {
    connections,
    environments: 1,
    sdks: mix,
    // What the emulator does not play bounds nothing here.
    account: { ...account, lambda: { ...account.lambda, scaling: free, callsPerExecution: 1e9 }, table: unbound },
    times: {
      ...expectedTimes(),
      connectMs: times.connectMs,
      syncMs: times.syncMs,
      coldMs: 0,
      streamMs: 0,
      // All that lies before the first post.
      publishMs: Math.max(0, times.pushMs - SMALL.managementMs),
      deliverMs: 0,
      pageMs: 0,
      queueMs: 0,
      postMs: 0,
    },
    seed,
  };
  const simulated = {
    storm: storm(population, connections / CROWD.perSecond).outcome.reached,
    push: push(population, deliverySettings(population.account)).reached,
  };
  const emulated = {
    storm: spreadOf(Float64Array.from(stormed), connections),
    push: spreadOf(Float64Array.from(pushed), connections),
  };
  return (['storm', 'push'] as const).flatMap((scenario) =>
    (
      [
        ['P50', 'p50'],
        ['P99', 'p99'],
        ['all', 'all'],
      ] as const
    ).map(([figure, key]) => ({
      scenario,
      connections,
      figure,
      emulatorMs: emulated[scenario][key],
      simulatedMs: simulated[scenario][key],
    })),
  );
}

/** The columns of a comparison. */
export const COMPARED_HEAD = ['scenario', 'connections', 'figure', 'emulator', 'simulation', 'off by'];

export function comparedRow(each: Compared): string[] {
  const off = (each.simulatedMs / each.emulatorMs - 1) * 100;
  return [
    each.scenario,
    count(each.connections),
    each.figure,
    seconds(each.emulatorMs),
    seconds(each.simulatedMs),
    `${off.toFixed(1)} %${isClose(each) ? '' : ' !'}`,
  ];
}
