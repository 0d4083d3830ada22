import { describeMachine, type Machine } from '../../dev/support/machine.ts';
import type { RunResult } from '../results/runResult.ts';
import type { Plan } from '../scenarios/plan.ts';
import { type Fleet, makeFargateRun } from './fargate.ts';
import { readLimits, workersFor } from './limits.ts';
import type { Options } from './options.ts';
import type { Progress } from './progress.ts';
import { addRemoteUsage, makeRun, makeSettings, type Run } from './run.ts';
import type { Target } from './target.ts';

/** Where the load of a campaign comes from. */
export interface LoadSource {
  /** Whether it is this machine, which other programs may hold up. */
  readonly isHere: boolean;
  /** What it is, where that is not this machine. */
  readonly machine?: Machine;
  /** Processors that its workers share. */
  readonly cores: number;
  /** How many artillery processes a plan takes. @throws {WrongArguments} where it cannot make that load */
  readonly workers: (plan: Plan, rate: number) => number;
  /** Makes a run. @param directory where everything goes that it finds @param signal ends it before its time */
  readonly make: (run: Run, directory: string, progress: Progress, signal: AbortSignal) => Promise<RunResult>;
}

/** This machine, on one core where the target has the other. */
export function thisMachine({ isOurs, urls }: Target, options: Options): LoadSource {
  return {
    isHere: true,
    cores: isOurs ? 1 : describeMachine().cores,
    workers: ({ peak }, rate) => workersFor(peak, rate, urls.length, readLimits(), options.workers),
    make: makeRun,
  };
}

/** Workers on Fargate, as artillery's own run-fargate starts them. */
export function fargateFleet(fleet: Fleet): LoadSource {
  return {
    isHere: false,
    cores: fleet.cpu,
    workers: () => fleet.count,
    make: (run, directory, progress, signal) =>
      makeFargateRun(run.facts, makeSettings(run), directory, fleet, (files) =>
        addRemoteUsage(run.target, files, progress, signal),
      ),
  };
}
