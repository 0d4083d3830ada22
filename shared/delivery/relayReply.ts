import type { Snapshot } from '../evaluation/snapshot.ts';
import { ENVELOPE } from '../flags/leanDocument.ts';
import type { RelaySecret, RelaySyncRequest } from '../protocol/relay.ts';
import { type ReplyItem, replyItems, serverFormat } from './format.ts';
import { isKnown, selectNewer, selectSince } from './selection.ts';

/** An environment in a relay's scope, and the secrets by which its agent checks SDKs. */
export interface RelayedEnvironment {
  readonly snapshot: Snapshot;
  readonly secrets: readonly RelaySecret[];
}

interface RelayItem extends ReplyItem {
  readonly envId: string;
}

/** The part of a message for one environment. */
interface Entry {
  readonly envId: string;
  readonly secrets: readonly RelaySecret[];
  readonly items: readonly RelayItem[];
}

/** Upper bound for the size of an entry without items and secrets, in bytes. */
const ENTRY_BYTES = 128;

const DOCUMENTS = serverFormat('any');

/** Whether a message contains the secrets of SDKs. Only the reply with everything does. */
export function hasSecrets(message: string): boolean {
  return message.startsWith(head('rp_full'));
}

/**
 * The reply to an agent's data-sync: everything with the secrets (`rp_full`), or what is newer than its cursors
 * (`rp_patch`). Items that do not fit one message follow in patches for server-side SDKs, ascending by `updatedAt`. An
 * agent accepts any number of items in a patch, from any environments.
 *
 * An agent forwards a patch to its SDKs item by item. The flags of an entry come before its segments. Some SDKs keep
 * one version for all items and need ascending order. An entry therefore ends before a flag that follows a segment.
 *
 * Items that fit no message are left out, as in a reply to a server-side SDK.
 */
export function relayReply(
  environments: readonly RelayedEnvironment[],
  request: RelaySyncRequest,
  limitBytes = Number.POSITIVE_INFINITY,
): string[] {
  const isFull = request.timestamp === 0;
  const items = environments
    .flatMap(({ snapshot }) => itemsFor(snapshot, request, limitBytes))
    .sort((a, b) => a.updatedAt - b.updatedAt);
  const first = (taken: readonly RelayItem[]) =>
    isFull ? wrap('rp_full', wholeEntries(environments, taken)) : wrap('rp_patch', runEntries(environments, taken));
  const patch = (taken: readonly RelayItem[]) => DOCUMENTS.wrap('patch', taken);

  const count = fitting(items, limitBytes - Buffer.byteLength(first([])));
  const messages = [first(items.slice(0, count))];
  const roomOfPatch = limitBytes - Buffer.byteLength(patch([]));
  for (let rest = items.slice(count); rest.length > 0; ) {
    const run = rest.slice(0, runLength(rest));
    const taken = run.slice(0, Math.max(1, fitting(run, roomOfPatch)));
    messages.push(patch(taken));
    rest = rest.slice(taken.length);
  }
  return messages;
}

function itemsFor(snapshot: Snapshot, { timestamp, cursors }: RelaySyncRequest, limitBytes: number): RelayItem[] {
  const cursor = cursors.get(snapshot.envId) ?? 0;
  const selection =
    timestamp === 0
      ? selectSince(snapshot, 'server', 0, limitBytes)
      : selectNewer(snapshot, 'server', isKnown(snapshot, cursor) ? cursor : 0, limitBytes);
  const items = replyItems(selection, DOCUMENTS);
  // An item that fits a message only without the fields that no SDK reads.
  const lean = items.some(({ json }) => ENVELOPE.length + Buffer.byteLength(json) > limitBytes);
  return (lean ? replyItems(selection, DOCUMENTS.lean ?? DOCUMENTS) : items).map((item) => ({
    ...item,
    envId: snapshot.envId,
  }));
}

/** How many of the first items fit. */
function fitting(items: readonly RelayItem[], room: number): number {
  let left = room;
  for (const [index, item] of items.entries()) {
    left -= Buffer.byteLength(item.json) + ENTRY_BYTES;
    if (left < 0) return index;
  }
  return items.length;
}

/** How many of the first items are in an order that a patch keeps: flags, then segments. */
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

/** One entry for each run of items of one environment. An empty entry if there are none. */
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
  return `${head(eventType)}[${texts}]}}`;
}

function head(eventType: 'rp_full' | 'rp_patch'): string {
  return `{"messageType":"data-sync","data":{"eventType":"${eventType}","items":`;
}
