import { describeMachine, type Machine } from '../../dev/support/machine.ts';
import type { RunResult } from '../results/runResult.ts';
import type { LoadProfile } from '../scenarios/loadProfile.ts';
import { type Fleet, makeFargateRun } from './fargate.ts';
import { readLimits, workersFor } from './limits.ts';
import type { Options } from './options.ts';
import type { Progress } from './progress.ts';
import { makeRun, type Run } from './run.ts';
import type { Target } from './target.ts';

/** The load generator of a campaign. */
export interface LoadSource {
  /** True if it is this machine, where other programs may run. */
  readonly isHere: boolean;
  /** The machine, unless it is this one. */
  readonly machine?: Machine;
  /** CPU cores that its workers share. */
  readonly cores: number;
  /** The number of artillery processes for a plan. @throws {WrongArguments} if it cannot generate the load */
  readonly workers: (plan: LoadProfile, rate: number) => number;
  /** Makes a run. @param directory folder for its measurements @param signal ends it early */
  readonly make: (run: Run, directory: string, progress: Progress, signal: AbortSignal) => Promise<RunResult>;
}

/** This machine. It uses one core if the target runs on the other. */
export function thisMachine({ isOurs, urls }: Target, options: Options): LoadSource {
  return {
    isHere: true,
    cores: isOurs ? 1 : describeMachine().cores,
    workers: ({ peak }, rate) => workersFor(peak, rate, urls.length, readLimits(), options.workers),
    make: makeRun,
  };
}

/** Workers on Fargate, started by artillery's run-fargate. */
export function fargateFleet(fleet: Fleet): LoadSource {
  return {
    isHere: false,
    cores: fleet.cpu,
    workers: () => fleet.count,
    make: (run, directory, progress, signal) => makeFargateRun(run, directory, fleet, progress, signal),
  };
}
