import type { Architecture } from '../../cost/model/compare.ts';
import { openHost, openLocal, openTasks, type Target } from '../runner/target.ts';

/** A way to run the service, as a comparison measures it. */
export interface Design {
  /** Of its folder, and in JSON. */
  readonly name: string;
  readonly title: string;
  /** What was measured in its place, or as it. */
  readonly setup: string;
  readonly source: 'here' | 'simulated' | 'AWS';
  /** The part of each rate, and of the account's quotas, that is played. */
  readonly part: number;
  /** What it is for the cost model. */
  readonly architecture: Architecture;
}

/** A design that load can be put on: deployed, or what stands for it on this machine. */
export interface MeasurableDesign extends Design {
  /** New connections a second, asked for besides those of the comparison: the most that the quotas let through. */
  readonly quotaRate?: number;
  /** @param peak connections that are open at a time */
  readonly open: (peak: number) => Promise<Target>;
}

/** Connections that a process of the host holds here: it may open 20,000 files, and needs some for itself. */
const MOST_CONNECTIONS = 19_000;

/** The part of rates and quotas at which the emulator plays AWS: it is one process, which more than some 80 connections a second would saturate. */
const PLAYED_PART = 0.04;

const played = (account: string) => () => openLocal(['--aws', account, '--quotas', String(PLAYED_PART), '--aws-times']);
const PLAYED = `API Gateway and Lambda as the emulator plays them on one core: the real functions and templates, at ${PLAYED_PART} of rates and quotas. Calls, starts and posts take as long as on AWS by docs/results/functions.json and reports.`;

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
  setup: 'two hosts that share one core of this machine, without the balancer before them',
  source: 'here',
  part: 1,
  architecture: 'fargate',
  open: () => openTasks(2),
};

/** What `--target` names, and what stands for each on this machine. */
export const TARGETS: Readonly<Record<string, readonly MeasurableDesign[]>> = {
  host: [host],
  serverless,
  fargate: [fargate],
};
