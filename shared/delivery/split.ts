import { type ReplyFormat, type ReplyItem, replyItems } from './format.ts';
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

/**
 * A selection as messages of at most `limitBytes` each. Usually that is one. Otherwise the first carries the oldest items
 * as a `full` (or `patch`) and patches follow, ascending by `updatedAt`, so that an SDK which applies them in turn ends
 * where one large message would have brought it.
 *
 * @throws {ItemTooLarge} when a single item exceeds the limit; nothing is to be sent then, as a reply without it would
 *   make SDKs evaluate wrongly
 */
export function splitReply(selection: Selection, format: ReplyFormat, limitBytes: number): string[] {
  const items = replyItems(selection, format);
  const whole = format.wrap(selection.eventType, items);
  const isOne = selection.eventType === 'full' || items.length <= format.itemsPerPatch;
  if (isOne && Buffer.byteLength(whole) <= limitBytes) return [whole];

  const messages: string[] = [];
  const overheadOf = (eventType: EventType) => Buffer.byteLength(format.wrap(eventType, []));
  const overhead = overheadOf('patch');
  let batch: ReplyItem[] = [];
  let bytes = overheadOf(selection.eventType);
  const flush = () => {
    messages.push(format.wrap(messages.length === 0 ? selection.eventType : 'patch', batch));
    batch = [];
    bytes = overhead;
  };
  for (const item of items) {
    const size = Buffer.byteLength(item.json);
    if (overhead + size > limitBytes) throw new ItemTooLarge(item, overhead + size, limitBytes);
    const isPatch = messages.length > 0 || selection.eventType === 'patch';
    if (bytes + size > limitBytes || (isPatch && batch.length === format.itemsPerPatch)) flush();
    batch.push(item);
    bytes += size + ','.length;
  }
  flush();
  return messages;
}
