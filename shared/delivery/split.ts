import { type ReplyFormat, type ReplyItem, replyItems } from './format.ts';
import type { PatchContents } from './sdk.ts';
import type { EventType, Selection } from './selection.ts';

/** An item that does not fit any message. */
export class ItemTooLarge extends Error {
  override name = 'ItemTooLarge';
  readonly item: ReplyItem;

  constructor(item: ReplyItem, bytes: number, limitBytes: number) {
    super(
      `${item.kind} "${item.id}" takes ${bytes} bytes in a message, more than the ${limitBytes} bytes that one WebSocket ` +
        'message can carry. Make it smaller (move users from it into segments, or split the segment), or let this SDK poll over HTTP.',
    );
    this.item = item;
  }
}

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
 * @throws {ItemTooLarge} if a single item exceeds the limit; send nothing then, because a partial reply would make SDKs
 *   evaluate wrongly
 */
export function splitReply(selection: Selection, format: ReplyFormat, limitBytes: number): ReplyPart[] {
  const { eventType } = selection;
  const items = replyItems(selection, format);
  const whole = format.wrap(eventType, items);
  const isOne = eventType === 'full' || items.every((item) => mayJoin(format.patchContents, items[0], item));
  if (isOne && Buffer.byteLength(whole) <= limitBytes) return [{ text: whole }];
  const lean = format.lean ?? format;
  return inParts(eventType, replyItems(selection, lean), lean, limitBytes);
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
    if (overhead + size > limitBytes) throw new ItemTooLarge(item, overhead + size, limitBytes);
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
