import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Item, textIn } from '../table/attributes.ts';
import { envIdOfKey, keys } from '../table/keys.ts';
import { pagesUnder, sortKeysBetween } from '../table/read.ts';
import type { ReadTable } from '../table/tableRequests.ts';
import type { StreamRecord } from './change.ts';
import { fromItem, type StoredDocument, toItem } from './item.ts';
import { bytesOfBody } from './stamp.ts';

/** How long changes stay readable. A reader that was away longer reads the whole environment. */
const RETENTION_SECONDS = 3_600;

/** Maximum size of the documents of one entry, in bytes. An item holds 400 KB. */
const ENTRY_LIMIT_BYTES = 350_000;

/**
 * The journal entry of one transaction, stored under its last version: the documents as written. Later writes do not
 * replace it, so a reader that polls sees every change.
 *
 * @returns undefined if they do not fit an item; readers then read the environment
 */
export function toJournalEntry(written: readonly StoredDocument[]): Record<string, AttributeValue> | undefined {
  const last = written.at(-1);
  const bytes = written.reduce((sum, stored) => sum + bytesOfBody(stored), 0);
  // Each has a few hundred bytes of attributes in addition to its body.
  if (!last || bytes + written.length * 300 > ENTRY_LIMIT_BYTES) return undefined;
  return {
    ...keys.journal(last.envId, last.updatedAt),
    changes: { L: written.map((stored) => ({ M: toItem(stored) })) },
    expiresAt: { N: String(Math.floor(last.writtenAt / 1_000) + RETENTION_SECONDS) },
  };
}

/**
 * All changes of an environment after one version and up to another, ascending, each document as written.
 *
 * @returns undefined if some of them have expired or are not visible yet
 */
export async function loadChanges(
  table: ReadTable,
  envId: string,
  after: number,
  upTo: number,
): Promise<StoredDocument[] | undefined> {
  if (upTo <= after) return [];
  const changes: StoredDocument[] = [];
  const { pk, sk } = keys.journal(envId, after + 1);
  for await (const items of pagesUnder(table, pk, sortKeysBetween(sk, keys.journal(envId, upTo).sk))) {
    for (const { changes: entry } of items)
      changes.push(...(entry?.L ?? []).flatMap(({ M }) => (M && fromItem(M)) ?? []));
    // Without the first change, the rest is not read.
    if (!isUnbroken(changes, after, changes.at(-1)?.updatedAt ?? after)) return undefined;
  }
  return isUnbroken(changes, after, upTo) ? changes : undefined;
}

/** An expired entry. Readers at an older version cannot follow the journal any more. */
export interface ExpiredEntry {
  readonly envId: string;
  /** The entry's version. */
  readonly version: number;
}

/** The journal entry that a stream record deletes. @returns undefined for any other record */
export function expiredFromRecord({ Keys = {}, NewImage }: StreamRecord): ExpiredEntry | undefined {
  const pk = textIn(Keys as Item, 'pk');
  const envId = envIdOfKey(pk);
  if (NewImage || pk !== keys.journal(envId, 0).pk.S) return undefined;
  return { envId, version: Number(textIn(Keys as Item, 'sk')) };
}

/**
 * Whether documents are all that was written after one version and up to another. Each document names the version
 * before it, so a gap is visible.
 *
 * @param written ascending by `updatedAt`
 */
export function isUnbroken(
  written: readonly Pick<StoredDocument, 'updatedAt' | 'previous'>[],
  after: number,
  upTo: number,
): boolean {
  let at = after;
  for (const { previous, updatedAt } of written) {
    if (previous !== at) return false;
    at = updatedAt;
  }
  return at === upTo;
}
