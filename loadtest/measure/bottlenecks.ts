import type { ProcessHealth } from './processWatch.ts';

/** How the generator of a run did. */
export interface GeneratorHealth extends Pick<ProcessHealth, 'cpu' | 'lagMs'> {
  /** New connections a second. */
  readonly intended: number;
  readonly achieved: number;
  /** Share of this machine's processors that other programs used; undefined where that is not known. */
  readonly others?: number;
}

/** The share of its intended rate that a generator must achieve. */
const LEAST_ACHIEVED = 0.98;

/** The share of processors above which other programs are named as the cause. */
export const BUSY_SHARE = 0.1;

/** The limits of artillery's workers, which also run timers of their own. */
const WORKER_LIMITS = { cpu: 0.7, lagMs: 20 } as const;

/**
 * Why a run measured its generator and not the server; empty when it measured the server.
 *
 * @param limits the most that the generator may use of its cores, and the most that its event loop may be late
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
