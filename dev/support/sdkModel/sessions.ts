import type { SecretType } from '../../../shared/protocol/secret.ts';
import type { AcknowledgedWrite } from './writeLog.ts';

/** What a message breaks. */
export type Violation =
  /** A change did not arrive, or an item is missing. */
  | 'lost'
  /** A change arrived twice on one connection. */
  | 'duplicate'
  /** An item older than the acknowledged one at the time of the data-sync, or for another user. */
  | 'stale'
  /** An older change after a newer one, or a push before the answer. */
  | 'out of order'
  /** A message that SDKs cannot read, or an item that no writer wrote. */
  | 'malformed';

/** Called with each violation and its description. */
export type Report = (violation: Violation, what: string) => void;

/** A time in which a reader was connected, had been answered, and was the same user: it must be sent every change. */
export interface Session {
  readonly reader: string;
  readonly type: SecretType;
  /** The newest version in what it was answered. */
  readonly from: number;
  /** The versions pushed to it, each with when it came. */
  readonly received: ReadonlyMap<number, number>;
  readonly endedAt: number;
}

/**
 * Looks for changes that never came: acknowledged ones between two that came, and those after the last one whose
 * reader stayed on long enough.
 *
 * @param timeoutMs how long after its acknowledgement a change may still be on its way
 * @returns how long the slowest push took, from its acknowledgement, in milliseconds
 */
export function findLost(
  sessions: readonly Session[],
  acknowledged: readonly AcknowledgedWrite[],
  timeoutMs: number,
  report: Report,
): number {
  const ascending = acknowledged.toSorted((a, b) => a.version - b.version);
  let slowest = 0;
  for (const { reader, type, from, received, endedAt } of sessions) {
    const newest = Math.max(from, ...received.keys());
    for (const { name, version, at } of ascending) {
      if (version <= from || (type === 'client' && name.startsWith('segment:'))) continue;
      const cameAt = received.get(version);
      if (cameAt !== undefined) slowest = Math.max(slowest, cameAt - at);
      else if (version < newest) report('lost', `${reader}: ${name} of ${version} never came, but ${newest} did`);
      else if (endedAt - at > timeoutMs) {
        report('lost', `${reader}: ${name} of ${version} did not come within ${Math.round(endedAt - at)} ms`);
      }
    }
  }
  return slowest;
}
