import type { CompiledFlag } from '../evaluation/flag.ts';
import type { CompiledSegment } from '../evaluation/segment.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';
import { problemOfSending } from '../evaluation/unsent.ts';
import { formatFor, type Recipient } from './format.ts';
import { selectNewer } from './selection.ts';
import type { OnTooLarge } from './split.ts';

/** The limit of a message to a client-side or server-side SDK. */
export interface MessageLimit {
  readonly bytes: number;
  /** Called for a flag that is too large for a client-side SDK. */
  readonly onTooLarge: OnTooLarge;
}

/**
 * The message of one changed item. If it exceeds the limit, fields that no SDK reads are left out.
 *
 * @param limit if omitted, messages may have any size
 * @returns undefined if the recipient does not receive such items (a segment, for a client; what
 *   {@link problemOfSending} names, for a server), or if it is too large
 */
export function patchFor(
  source: CompiledFlag | CompiledSegment,
  { type, user }: Recipient,
  limit?: MessageLimit,
): string | undefined {
  if (type === 'server' && problemOfSending(source, limit?.bytes ?? Number.POSITIVE_INFINITY) !== undefined)
    return undefined;
  const format = formatFor(type, user);
  const whole = format.item(source);
  if (!whole) return undefined;
  const message = format.wrap('patch', [whole]);
  if (!limit || Buffer.byteLength(message) <= limit.bytes) return message;
  const item = format.lean?.item(source) ?? whole;
  const lean = format.wrap('patch', [item]);
  const bytes = Buffer.byteLength(lean);
  if (bytes <= limit.bytes) return lean;
  limit.onTooLarge(item, bytes);
  return undefined;
}

/** The messages of everything newer than a version, one item each, ascending by `updatedAt`. */
export function patchesSince(snapshot: Snapshot, recipient: Recipient, version: number, limit: MessageLimit): string[] {
  const { flags, segments } = selectNewer(snapshot, recipient.type, version);
  return [...segments, ...flags]
    .sort((a, b) => a.updatedAt - b.updatedAt)
    .flatMap((source) => patchFor(source, recipient, limit) ?? []);
}
