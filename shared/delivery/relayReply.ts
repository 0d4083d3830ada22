import type { Snapshot } from '../evaluation/snapshot.ts';
import type { RelaySecret, RelaySyncRequest } from '../protocol/relay.ts';
import { type ReplyItem, replyItems, serverFormat } from './format.ts';
import { selectNewer, selectSince } from './selection.ts';
import { ItemTooLarge } from './split.ts';

/** An environment of a relay's scope, and the secrets that its agent is to check SDKs by. */
export interface RelayedEnvironment {
  readonly snapshot: Snapshot;
  readonly secrets: readonly RelaySecret[];
}

interface RelayItem extends ReplyItem {
  readonly envId: string;
}

/** One environment's part of a message. */
interface Entry {
  readonly envId: string;
  readonly secrets: readonly RelaySecret[];
  readonly items: readonly RelayItem[];
}

/** More than an entry without items and secrets takes in a message, in bytes. */
const ENTRY_BYTES = 128;

const DOCUMENTS = serverFormat('any');

/**
 * The reply to an agent's data-sync: everything with the secrets (`rp_full`), or what is newer than its cursors (`rp_patch`).
 * What one message cannot carry follows in patches as SDKs for servers get them, ascending by `updatedAt`; an agent takes any
 * number of items in one, of any environments.
 *
 * An agent hands on what a patch holds to its own SDKs item by item, the flags of an entry before its segments. So that
 * SDKs which keep one version of all get it ascending, an entry ends where a flag follows a segment.
 *
 * @throws {ItemTooLarge} when no message can carry an item; nothing is to be sent then
 */
export function relayReply(
  environments: readonly RelayedEnvironment[],
  request: RelaySyncRequest,
  limitBytes = Number.POSITIVE_INFINITY,
): string[] {
  const isFull = request.timestamp === 0;
  const items = environments
    .flatMap(({ snapshot }) => itemsFor(snapshot, request))
    .sort((a, b) => a.updatedAt - b.updatedAt);
  const head = (taken: readonly RelayItem[]) =>
    isFull ? wrap('rp_full', wholeEntries(environments, taken)) : wrap('rp_patch', runEntries(environments, taken));
  const patch = (taken: readonly RelayItem[]) => DOCUMENTS.wrap('patch', taken);

  const count = fitting(items, limitBytes - Buffer.byteLength(head([])), limitBytes);
  const messages = [head(items.slice(0, count))];
  const roomOfPatch = limitBytes - Buffer.byteLength(patch([]));
  for (let rest = items.slice(count); rest.length > 0; ) {
    const run = rest.slice(0, runLength(rest));
    const taken = run.slice(0, Math.max(1, fitting(run, roomOfPatch, limitBytes)));
    messages.push(patch(taken));
    rest = rest.slice(taken.length);
  }
  return messages;
}

function itemsFor(snapshot: Snapshot, { timestamp, cursors }: RelaySyncRequest): RelayItem[] {
  const cursor = cursors.get(snapshot.envId) ?? 0;
  const isAhead = cursor > snapshot.version;
  const selection =
    timestamp === 0 ? selectSince(snapshot, 'server', 0) : selectNewer(snapshot, 'server', isAhead ? 0 : cursor);
  return replyItems(selection, DOCUMENTS).map((item) => ({ ...item, envId: snapshot.envId }));
}

/** How many of the items, from the first on, there is room for. */
function fitting(items: readonly RelayItem[], room: number, limitBytes: number): number {
  let left = room;
  for (const [index, item] of items.entries()) {
    const bytes = Buffer.byteLength(item.json) + ENTRY_BYTES;
    if (bytes > limitBytes - ENTRY_BYTES) throw new ItemTooLarge(item, bytes, limitBytes);
    left -= bytes;
    if (left < 0) return index;
  }
  return items.length;
}

/** How many items, from the first on, come in an order that a patch keeps: flags, then segments. */
function runLength(items: readonly RelayItem[]): number {
  const end = items.findIndex((item, index) => item.kind === 'flag' && items[index - 1]?.kind === 'segment');
  return end < 0 ? items.length : end;
}

/** One entry for each environment. */
function wholeEntries(environments: readonly RelayedEnvironment[], items: readonly RelayItem[]): Entry[] {
  return environments.map(({ snapshot: { envId }, secrets }) => ({
    envId,
    secrets,
    items: items.filter((item) => item.envId === envId),
  }));
}

/** An entry for each run of one environment's items; an empty one where there are none. */
function runEntries(environments: readonly RelayedEnvironment[], items: readonly RelayItem[]): Entry[] {
  const entries: (Entry & { readonly items: RelayItem[] })[] = [];
  for (const item of items) {
    const last = entries.at(-1);
    const joins = last?.envId === item.envId && !(item.kind === 'flag' && last.items.at(-1)?.kind === 'segment');
    if (last && joins) last.items.push(item);
    else entries.push({ envId: item.envId, secrets: [], items: [item] });
  }
  const unchanged = environments.filter(({ snapshot }) => !entries.some(({ envId }) => envId === snapshot.envId));
  return [...entries, ...unchanged.map(({ snapshot: { envId } }) => ({ envId, secrets: [], items: [] }))];
}

function wrap(eventType: 'rp_full' | 'rp_patch', entries: readonly Entry[]): string {
  const texts = entries.map(({ envId, secrets, items }) => {
    const of = (kind: ReplyItem['kind']) => items.filter((item) => item.kind === kind).map(({ json }) => json);
    return `{"envId":"${envId}","secrets":${JSON.stringify(secrets)},"featureFlags":[${of('flag')}],"segments":[${of('segment')}]}`;
  });
  return `{"messageType":"data-sync","data":{"eventType":"${eventType}","items":[${texts}]}}`;
}
