import type { Spread } from './spread.ts';
import type { Usage } from './usage.ts';

/** What came of a scenario. */
export interface Outcome {
  /** Connections that were to be reached. */
  readonly connections: number;
  /** When they were, since the beginning. */
  readonly reached: Spread;
  /** How long each waited since it came, or its connection ended. */
  readonly waited: Spread;
  /** Those that were not: data-syncs that got no answer, changes that are left until the next one, and who still waits. */
  readonly unreached: { readonly unanswered: number; readonly waiting: number };
  readonly refusedHandshakes: number;
  /** The most refusals that one connection met. */
  readonly mostAttempts: number;
  readonly pings: { readonly asked: number; readonly refused: number };
  /** Posts that failed after all of their retries; each is made good by another delivery. */
  readonly failedPosts: number;
  /** What refused somebody, or made somebody wait, and how often; the most frequent first. */
  readonly limits: readonly (readonly [limit: string, count: number])[];
  readonly usage: Usage;
  /** Units of the tables. */
  readonly units: { readonly read: number; readonly written: number };
  readonly simulatedMs: number;
  readonly events: number;
  /** Whether it came to its end within the time that it is simulated for. */
  readonly isDone: boolean;
}
