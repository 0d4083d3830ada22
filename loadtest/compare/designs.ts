import { openHost, openLocal, openTasks, type Target } from '../runner/target.ts';

/** A design that the comparison measures. */
export interface Design {
  /** Its name in JSON, and of its folder. */
  readonly name: string;
  readonly title: string;
  /** The measured setup. */
  readonly setup: string;
  readonly source: 'here' | 'simulated';
  /** The fraction of rates and quotas that is emulated, or 1. */
  readonly part: number;
}

/** A design with a target for load on this machine. */
export interface MeasurableDesign extends Design {
  /** @param peak connections that are open at a time */
  readonly open: (peak: number) => Promise<Target>;
}

/** The maximum connections of one host process on this machine. It may open 20,000 files, and needs some for itself. */
const MOST_CONNECTIONS = 19_000;

/** The fraction of rates and quotas in the emulator. About 40 connections a second saturate its process. */
const SIMULATED_PART = 0.02;

const HERE = { source: 'here', part: 1 } as const;

const SIMULATED = {
  setup: `the functions and templates in the emulator on one core, at ${SIMULATED_PART * 100} % of rates and quotas. docs/results/functions.json and published reports supply the durations of calls, cold starts and posts`,
  source: 'simulated',
  part: SIMULATED_PART,
} as const;

const openSimulated = (account: string) => () =>
  openLocal(['--aws', account, '--quotas', String(SIMULATED_PART), '--aws-times']);

/** The values of `--target`, and the measured designs of each on this machine. */
export const TARGETS: Readonly<Record<string, readonly MeasurableDesign[]>> = {
  host: [
    {
      name: 'host',
      title: 'one host, two processes on a core',
      setup: 'two processes of the host (one may open 20,000 files) that share a port and one core of this machine',
      ...HERE,
      open: (peak) => openHost(Math.ceil(peak / MOST_CONNECTIONS)),
    },
  ],
  serverless: [
    { name: 'serverless-default', title: 'serverless, default quotas', ...SIMULATED, open: openSimulated('default') },
    { name: 'serverless-raised', title: 'serverless, quotas × 10', ...SIMULATED, open: openSimulated('raised') },
  ],
  fargate: [
    {
      name: 'fargate',
      title: 'Fargate, two tasks that share a core',
      setup: 'two hosts on one core of this machine, without a load balancer. On Fargate, each task has its own',
      ...HERE,
      open: () => openTasks(2),
    },
  ],
};
