import type { Flag } from '../../shared/flags/flag.ts';

/** What happens in a world. */
export interface Scenario {
  readonly seed: number;
  readonly writes: number;
  /** The flag of a write. */
  readonly flag: (n: number, random: () => number) => Flag;
  /** How likely a message of the queue is lost, a post fails, or a message comes twice. */
  readonly trouble: number;
  /** How likely a delivery is killed in the midst of its work. */
  readonly kills: number;
  /** How likely a data-sync comes to nobody, or to a function that is killed; connections are healed then. None unless given. */
  readonly losses?: number;
}
