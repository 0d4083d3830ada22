import { selectSince } from '../../shared/protocol/cursor.ts';
import { type ReplyFormat, replyItems } from '../../shared/protocol/reply.ts';
import { type ConnectionRequest, markAnswered, markReceiving } from '../../shared/store/connections.ts';
import type { Reading, SnapshotCache } from '../../shared/store/snapshotCache.ts';
import type { Tables } from '../../shared/store/table.ts';
import type { Postbox } from '../postbox.ts';

/** One data-sync whose answer takes several messages. */
export interface PartedReply {
  readonly tables: Tables;
  readonly snapshots: Pick<SnapshotCache, 'read'>;
  readonly postbox: Postbox;
  readonly envId: string;
  readonly request: ConnectionRequest;
  readonly format: ReplyFormat;
}

/**
 * Sends an answer of several messages in order, then whatever was written meanwhile, one item a patch. Pushes keep out
 * of the way while the connection is marked as receiving; after the mark is taken off, one last look catches what was
 * written just before.
 *
 * @param reading what the messages were made from
 */
export async function sendInParts(reply: PartedReply, messages: readonly string[], reading: Reading): Promise<void> {
  const { tables, snapshots, envId, request } = reply;
  await markReceiving(tables, envId, request);
  let isThere = await post(reply, messages);
  let sent = reading.version.updatedAt;
  const catchUp = async () => {
    const { snapshot, version } = await snapshots.read(envId);
    const newer = replyItems({ ...selectSince(snapshot, request.type, 0), eventType: 'patch' }, reply.format)
      .filter(({ updatedAt }) => updatedAt > sent)
      .map((item) => reply.format.wrap('patch', [item]));
    isThere &&= await post(reply, newer);
    const hasMoved = version.updatedAt > sent;
    sent = version.updatedAt;
    return hasMoved;
  };
  while (isThere && (await catchUp())) {
    // Again until nothing was written while the last part was sent.
  }
  await markAnswered(tables, envId, request, sent);
  if (isThere) await catchUp();
}

/** Sends messages one after another. @returns false when the connection is gone */
async function post({ postbox, request }: PartedReply, messages: readonly string[]): Promise<boolean> {
  for (const message of messages) if ((await postbox.post(request.id, message)) === 'gone') return false;
  return true;
}
