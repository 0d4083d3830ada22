import { type ReplyFormat, type ReplyItem, replyItems } from './format.ts';
import type { PatchContents } from './sdk.ts';
import type { EventType, Selection } from './selection.ts';

/** Called with an item that fits no message, and its size in one. All others are sent. */
export type OnTooLarge = (item: ReplyItem, bytes: number) => void;

/** One message of a reply. */
export interface ReplyPart {
  readonly text: string;
  /** The version that its recipient has after this part. Absent for the last part, whose version is the reply's. */
  readonly sentTo?: number;
}

/**
 * Splits a selection into messages of at most `limitBytes` each. Usually one is enough. If not, fields that no SDK
 * reads are left out first.
 *
 * With several messages, the first carries the oldest items as a `full` (or `patch`). Patches follow, ascending by
 * `updatedAt`. An SDK that applies all of them has the same data as after one large message. After a broken connection
 * it asks only for the rest.
 *
 * An item that exceeds the limit is left out. Only a client-side SDK has such items: a selection for a server-side SDK
 * contains none.
 */
export function splitReply(
  selection: Selection,
  format: ReplyFormat,
  limitBytes: number,
  onTooLarge: OnTooLarge = () => {},
): ReplyPart[] {
  const { eventType } = selection;
  const items = replyItems(selection, format);
  const whole = format.wrap(eventType, items);
  const isOne = eventType === 'full' || items.every((item) => mayJoin(format.patchContents, items[0], item));
  if (isOne && Buffer.byteLength(whole) <= limitBytes) return [{ text: whole }];
  const lean = format.lean ?? format;
  const overhead = Buffer.byteLength(lean.wrap('patch', []));
  const fitting = replyItems(selection, lean).filter((item) => {
    const bytes = overhead + Buffer.byteLength(item.json);
    if (bytes > limitBytes) onTooLarge(item, bytes);
    return bytes <= limitBytes;
  });
  return inParts(eventType, fitting, lean, limitBytes);
}

function inParts(first: EventType, items: readonly ReplyItem[], format: ReplyFormat, limitBytes: number): ReplyPart[] {
  const parts: ReplyPart[] = [];
  const overheadOf = (eventType: EventType) => Buffer.byteLength(format.wrap(eventType, []));
  const overhead = overheadOf('patch');
  let batch: ReplyItem[] = [];
  let bytes = overheadOf(first);
  const flush = (next?: ReplyItem) => {
    const text = format.wrap(parts.length === 0 ? first : 'patch', batch);
    parts.push(next ? { text, sentTo: next.updatedAt - 1 } : { text });
    batch = [];
    bytes = overhead;
  };
  for (const item of items) {
    const size = Buffer.byteLength(item.json);
    const isPatch = parts.length > 0 || first === 'patch';
    const joins = !isPatch || mayJoin(format.patchContents, batch[0], item);
    if (bytes + size > limitBytes || !joins) flush(item);
    batch.push(item);
    bytes += size + ','.length;
  }
  flush();
  return parts;
}

/** Whether an item may be in the same patch as a given first item. */
function mayJoin(contents: PatchContents, first: ReplyItem | undefined, item: ReplyItem): boolean {
  if (first === undefined || first === item || contents === 'any') return true;
  return contents === 'one-kind' && first.kind === item.kind;
}
