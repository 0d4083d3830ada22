import { openHost, openLocal, openTasks, type Target } from '../runner/target.ts';

/** A way to run the service, as the comparison has it here. */
export interface Design {
  readonly title: string;
  /** What stands for it on this machine. */
  readonly setup: string;
  /** What its figures are: measured on this machine, or those of AWS's service times and quotas played here. */
  readonly source: 'here' | 'simulated';
  /** The part of each rate, and of the account's quotas, that this machine plays. */
  readonly part: number;
  /** New connections a second, asked for besides those of the comparison: the most that the quotas let through. */
  readonly quotaRate?: number;
  /** @param peak connections that are open at a time */
  readonly open: (peak: number) => Promise<Target>;
}

/** Connections that a process of the host holds here: it may open 20,000 files, and needs some for itself. */
const MOST_CONNECTIONS = 19_000;

/** The part of rates and quotas at which the emulator plays AWS: it is one process. */
const PLAYED_PART = 0.1;

const played = (account: string) => () => openLocal(['--aws', account, '--quotas', String(PLAYED_PART), '--aws-times']);
const PLAYED = `the real functions and templates in the emulator on one core, at ${PLAYED_PART} of rates and quotas; calls, starts and posts take as long as on AWS by docs/results/functions.json and reports`;

/** The designs by the names of their folders and JSON. */
export const DESIGNS = {
  host: {
    title: 'host on one t2.micro',
    setup: 'the host on one core of this machine, which is not a t2.micro',
    source: 'here',
    part: 1,
    open: (peak) => openHost(Math.ceil(peak / MOST_CONNECTIONS)),
  },
  'serverless-default': {
    title: 'API Gateway + Lambda, default quotas',
    setup: PLAYED,
    source: 'simulated',
    part: PLAYED_PART,
    quotaRate: 500,
    open: played('default'),
  },
  'serverless-raised': {
    title: 'API Gateway + Lambda, ten times the quotas',
    setup: PLAYED,
    source: 'simulated',
    part: PLAYED_PART,
    open: played('raised'),
  },
  fargate: {
    title: 'Fargate, two tasks',
    setup: 'two hosts that share one core of this machine, without the balancer before them',
    source: 'here',
    part: 1,
    open: () => openTasks(2),
  },
} as const satisfies Readonly<Record<string, Design>>;

/** One of {@link DESIGNS}. */
export type DesignName = keyof typeof DESIGNS;

/** What `--target` names, and the designs that each stands for. */
export const TARGETS: Readonly<Record<string, readonly DesignName[]>> = {
  serverless: ['serverless-default', 'serverless-raised'],
  host: ['host'],
  fargate: ['fargate'],
};
