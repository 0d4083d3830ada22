import type { CompiledFlag } from '../evaluation/flag.ts';
import type { CompiledSegment } from '../evaluation/segment.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';
import { problemOfSending } from '../evaluation/unsent.ts';
import type { SecretType } from '../protocol/secret.ts';

/** Whether an SDK replaces what it has (`full`) or adds to it (`patch`). */
export type EventType = 'full' | 'patch';

/**
 * The items that a data-sync sends: flags and segments ascending by `updatedAt`, including archived ones. A server-side
 * SDK gets no items that {@link problemOfSending} names.
 */
export interface Selection {
  readonly eventType: EventType;
  readonly flags: readonly CompiledFlag[];
  /** Always empty for client-type connections. */
  readonly segments: readonly CompiledSegment[];
}

/**
 * Selects the items for a cursor:
 *
 * - An empty patch if nothing is newer, so that there is always a reply.
 * - A patch if exactly one item is newer.
 * - Everything if several items are newer, or {@link isKnown} does not hold. Go and Java SDKs lose items of a patch with several.
 *
 * @param timestamp the SDK's cursor, unix milliseconds; items strictly newer than it count
 * @param limitBytes maximum size of a message. By default there is none
 */
export function selectSince(
  snapshot: Snapshot,
  type: SecretType,
  timestamp: number,
  limitBytes = Number.POSITIVE_INFINITY,
): Selection {
  const everything = (): Selection =>
    type === 'client'
      ? { eventType: 'full', flags: snapshot.flags, segments: [] }
      : { ...selectNewer(snapshot, type, Number.NEGATIVE_INFINITY, limitBytes), eventType: 'full' };
  if (!isKnown(snapshot, timestamp)) return everything();
  const newer = selectNewer(snapshot, type, timestamp, limitBytes);
  return newer.flags.length + newer.segments.length > 1 ? everything() : newer;
}

/**
 * Whether a cursor belongs to this environment. One in the future, or from before its first version, belongs to data that has been
 * reset. 0 belongs to none.
 */
export function isKnown({ version, initialVersion }: Snapshot, cursor: number): boolean {
  return cursor !== 0 && cursor <= version && (initialVersion === 0 || cursor > initialVersion);
}

/**
 * All items newer than a cursor, as a patch. `splitReply` applies what each server-side SDK accepts in one patch.
 *
 * @param limitBytes as in {@link selectSince}
 */
export function selectNewer(
  snapshot: Snapshot,
  type: SecretType,
  timestamp: number,
  limitBytes = Number.POSITIVE_INFINITY,
): Selection {
  const isSelected = (item: CompiledFlag | CompiledSegment) =>
    item.updatedAt > timestamp && (type === 'client' || problemOfSending(item, limitBytes) === undefined);
  return {
    eventType: 'patch',
    flags: snapshot.flags.filter(isSelected),
    segments: type === 'server' ? snapshot.segments.filter(isSelected) : [],
  };
}
