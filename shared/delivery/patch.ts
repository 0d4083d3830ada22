import type { CompiledFlag } from '../evaluation/flag.ts';
import type { CompiledSegment } from '../evaluation/segment.ts';
import type { Snapshot } from '../evaluation/snapshot.ts';
import { formatFor, type Recipient } from './format.ts';
import { selectNewer } from './selection.ts';
import { ItemTooLarge } from './split.ts';

/** What one message can carry, and the callback for a change that none can carry: everything else is sent without it. */
export interface MessageLimit {
  readonly bytes: number;
  readonly onTooLarge: (error: ItemTooLarge) => void;
}

/**
 * The message of one changed item; without what no SDK reads where it exceeds the limit otherwise.
 *
 * @param limit none: messages may be of any size
 * @returns undefined when the item is none of the recipient's business (a segment, to a client), or too large
 */
export function patchFor(
  source: CompiledFlag | CompiledSegment,
  { type, user }: Recipient,
  limit?: MessageLimit,
): string | undefined {
  const format = formatFor(type, user);
  const whole = format.item(source);
  if (!whole) return undefined;
  const message = format.wrap('patch', [whole]);
  if (!limit || Buffer.byteLength(message) <= limit.bytes) return message;
  const item = format.lean?.item(source) ?? whole;
  const lean = format.wrap('patch', [item]);
  const bytes = Buffer.byteLength(lean);
  if (bytes <= limit.bytes) return lean;
  limit.onTooLarge(new ItemTooLarge(item, bytes, limit.bytes));
  return undefined;
}

/** The messages of all that is newer than a version, one item each, ascending by `updatedAt`. */
export function patchesSince(snapshot: Snapshot, recipient: Recipient, version: number, limit: MessageLimit): string[] {
  const { flags, segments } = selectNewer(snapshot, recipient.type, version);
  return [...segments, ...flags]
    .sort((a, b) => a.updatedAt - b.updatedAt)
    .flatMap((source) => patchFor(source, recipient, limit) ?? []);
}
