import type { Selection } from './cursor.ts';
import { type ReplyFormat, type ReplyItem, replyItems } from './reply.ts';

/** The most that API Gateway carries in one WebSocket message, in bytes. */
export const MESSAGE_LIMIT_BYTES = 128 * 1024;

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
 * A reply as messages of at most `limitBytes` each. Usually that is one. Otherwise the first carries the oldest items
 * as a `full` (or `patch`) and patches follow, ascending by `updatedAt`, so that an SDK which applies them in turn ends
 * where one large message would have brought it.
 *
 * @throws {ItemTooLarge} when a single item exceeds the limit; nothing is to be sent then, as a reply without it would
 *   make SDKs evaluate wrongly
 */
export function splitReply(selection: Selection, format: ReplyFormat, limitBytes = MESSAGE_LIMIT_BYTES): string[] {
  const items = replyItems(selection, format);
  const whole = format.wrap(selection.eventType, items);
  if (Buffer.byteLength(whole) <= limitBytes) return [whole];

  const messages: string[] = [];
  const overhead = Buffer.byteLength(format.wrap('patch', []));
  let batch: ReplyItem[] = [];
  let bytes = overhead;
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
