import type { Flag } from '../../shared/flags/flag.ts';

/** The events of a world. */
export interface Scenario {
  readonly seed: number;
  readonly writes: number;
  /** The flag of a write. */
  readonly flag: (n: number, random: () => number) => Flag;
  /** Probability that a queue message is lost, a post fails, or a message arrives twice. */
  readonly trouble: number;
  /** Probability that a delivery is killed. */
  readonly kills: number;
  /**
   * Probability that a data-sync reaches no function, or one that is killed. Connections then need healing. 0 by
   * default.
   */
  readonly losses?: number;
}
