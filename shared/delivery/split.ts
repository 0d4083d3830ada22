import { type ReplyFormat, type ReplyItem, replyItems } from './format.ts';
import type { PatchContents } from './sdk.ts';
import type { EventType, Selection } from './selection.ts';

/** An item that no message can carry by itself. */
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
  /** The version up to which its recipient has everything once it has this part; absent of the last: that of the reply. */
  readonly sentTo?: number;
}

/**
 * A selection as messages of at most `limitBytes` each. Usually that is one. Otherwise what no SDK reads is left out; where
 * it is several even so, the first carries the oldest items as a `full` (or `patch`) and patches follow, ascending by
 * `updatedAt`, so that an SDK which applies them in turn ends where one large message would have brought it, and one
 * whose connection breaks asks for just what it lacks.
 *
 * @throws {ItemTooLarge} when a single item exceeds the limit; nothing is to be sent then, as a reply without it would
 *   make SDKs evaluate wrongly
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

/** Whether an item may be in one patch with others, the first of which is given. */
function mayJoin(contents: PatchContents, first: ReplyItem | undefined, item: ReplyItem): boolean {
  if (first === undefined || first === item || contents === 'any') return true;
  return contents === 'one-kind' && first.kind === item.kind;
}
