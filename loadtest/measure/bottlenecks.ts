import type { ProcessHealth } from './processWatch.ts';

/** The state of the load generator in a run. */
export interface GeneratorHealth extends Pick<ProcessHealth, 'cpu' | 'lagMs'> {
  /** New connections a second. */
  readonly intended: number;
  readonly achieved: number;
  /** Share of this machine's CPU time that other programs used, if known. */
  readonly others?: number;
}

/** The share of its intended rate that a generator must achieve. */
const LEAST_ACHIEVED = 0.98;

/** Above this share of CPU time, other programs are named as the cause. */
export const BUSY_SHARE = 0.1;

/** The limits of artillery's workers. Artillery's timers use CPU time too. */
const WORKER_LIMITS = { cpu: 0.7, lagMs: 20 } as const;

/**
 * The reasons why the load generator limited a run. Empty if it did not.
 *
 * @param limits maximum share of its cores, and maximum delay of its event loop
 */
export function findBottlenecks(
  { cpu, lagMs, intended, achieved, others = 0 }: GeneratorHealth,
  limits: Pick<ProcessHealth, 'cpu' | 'lagMs'> = WORKER_LIMITS,
): string[] {
  const problems = [
    ...(achieved < LEAST_ACHIEVED * intended
      ? [`the generator opened ${Math.round(achieved)} connections a second in place of ${Math.round(intended)}`]
      : []),
    ...(cpu > limits.cpu ? [`the generator used ${Math.round(cpu * 100)} % of its cores`] : []),
    ...(lagMs > limits.lagMs ? [`a worker was ${Math.round(lagMs)} ms late`] : []),
  ];
  if (others < BUSY_SHARE) return problems;
  const cause = `while other programs used ${Math.round(others * 100)} % of this machine’s processors`;
  return problems.map((problem) => `${problem}, ${cause}`);
}
