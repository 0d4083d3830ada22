import type { Architecture } from '../../cost/model/report/compare.ts';
import { openHost, openLocal, openTasks, type Target } from '../runner/target.ts';

/** A design that the comparison measures. */
export interface Design {
  /** Of its folder, and in JSON. */
  readonly name: string;
  readonly title: string;
  /** The measured setup. */
  readonly setup: string;
  readonly source: 'here' | 'simulated' | 'AWS';
  /** The fraction of rates and quotas that is emulated, or 1. */
  readonly part: number;
  /** The design in the cost model. */
  readonly architecture: Architecture;
}

/** A design with a target for load: deployed, or its substitute on this machine. */
export interface MeasurableDesign extends Design {
  /** An additional rate of new connections a second: the highest rate that the quotas allow. */
  readonly quotaRate?: number;
  /** @param peak connections that are open at a time */
  readonly open: (peak: number) => Promise<Target>;
}

/** The maximum connections of one host process on this machine. It may open 20,000 files, and needs some for itself. */
const MOST_CONNECTIONS = 19_000;

/** The fraction of rates and quotas in the emulator: about 80 connections a second saturate its process. */
const PLAYED_PART = 0.04;

const played = (account: string) => () => openLocal(['--aws', account, '--quotas', String(PLAYED_PART), '--aws-times']);
const PLAYED = `the functions and templates in the emulator on one core, at ${PLAYED_PART * 100} % of rates and quotas. docs/results/functions.json and published reports supply the durations of calls, cold starts and posts.`;

const host: MeasurableDesign = {
  name: 'host',
  title: 'one host',
  setup: 'the host on one core of this machine, which is not a t2.micro',
  source: 'here',
  part: 1,
  architecture: 't2',
  open: (peak) => openHost(Math.ceil(peak / MOST_CONNECTIONS)),
};

const serverless: readonly MeasurableDesign[] = [
  {
    name: 'serverless-default',
    title: 'serverless, default quotas',
    setup: PLAYED,
    source: 'simulated',
    part: PLAYED_PART,
    architecture: 'serverless',
    quotaRate: 500,
    open: played('default'),
  },
  {
    name: 'serverless-raised',
    title: 'serverless, quotas × 10',
    setup: PLAYED,
    source: 'simulated',
    part: PLAYED_PART,
    architecture: 'serverless',
    open: played('raised'),
  },
];

const fargate: MeasurableDesign = {
  name: 'fargate',
  title: 'Fargate, two tasks',
  setup: 'two hosts that share one core of this machine, without a load balancer',
  source: 'here',
  part: 1,
  architecture: 'fargate',
  open: () => openTasks(2),
};

/** The values of `--target`, and the measured designs of each on this machine. */
export const TARGETS: Readonly<Record<string, readonly MeasurableDesign[]>> = {
  host: [host],
  serverless,
  fargate: [fargate],
};
