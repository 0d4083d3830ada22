import type { Document } from '../../flags/document.ts';
import { DocumentReader } from '../documents/documents.ts';
import { type ChangedDocument, fromHistoryItem, type HistoryEntry } from '../documents/historyEntry.ts';
import { contentOf, type StoredDocument } from '../documents/item.ts';
import { loadChanges } from '../documents/journal.ts';
import { textIn } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { itemsUnder, readItem, sortKeys } from '../table/read.ts';
import type { Table } from '../table/table.ts';

/** One transaction of the history with its environment. Flags that only got a new version are left out. */
export interface RecordedChange extends Omit<HistoryEntry, 'documents'> {
  readonly environment: { readonly id: string; readonly name: string; readonly isProduction: boolean };
  readonly documents: readonly RecordedDocument[];
}

/** A changed document, before and after the transaction. Undefined if there is none, or if it is not readable. */
export interface RecordedDocument extends Pick<ChangedDocument, 'kind' | 'id' | 'updatedAt'> {
  /** The version of the document before. Undefined if there was none. */
  readonly previous: number | undefined;
  readonly before: Document['document'] | undefined;
  readonly after: Document['document'] | undefined;
}

/**
 * Reads a transaction from the history by its version, with strong consistency.
 *
 * @returns undefined if it does not exist any more: its environment was deleted
 */
export async function readRecordedChange(
  table: Table,
  envId: string,
  version: number,
): Promise<RecordedChange | undefined> {
  const item = await readItem(table, keys.history(envId, version));
  const environment = await readRecordedEnvironment(table, envId);
  if (!item || !environment) return undefined;
  const { documents, ...entry } = fromHistoryItem(item);
  const changed = documents.filter(({ isFollower }) => !isFollower);
  const states = await statesAfter(table, envId, entry, changed);
  return {
    ...entry,
    environment,
    documents: changed.map(({ kind, id, updatedAt, before }, index) => ({
      kind,
      id,
      updatedAt,
      previous: before?.updatedAt,
      before: contentOf(before),
      after: contentOf(states[index]),
    })),
  };
}

/** An environment, for events. @returns undefined if there is none */
export async function readRecordedEnvironment(
  table: Table,
  envId: string,
): Promise<RecordedChange['environment'] | undefined> {
  const meta = await readItem(table, keys.environment(envId));
  return meta && { id: envId, name: textIn(meta, 'name'), isProduction: meta['isProduction']?.BOOL === true };
}

/** The name of a segment. @returns undefined if there is none */
export async function readSegmentName(table: Table, envId: string, id: string): Promise<string | undefined> {
  return contentOf(await new DocumentReader(table).find(envId, 'segment', id))?.name;
}

/** The documents as the transaction wrote them: from the journal, as long as it has them. */
async function statesAfter(
  table: Table,
  envId: string,
  { previous, version }: Pick<HistoryEntry, 'previous' | 'version'>,
  changed: readonly ChangedDocument[],
): Promise<(StoredDocument | undefined)[]> {
  const written = await loadChanges(table, envId, previous, version);
  const states: (StoredDocument | undefined)[] = [];
  for (const document of changed) {
    const inJournal = written?.find(({ updatedAt }) => updatedAt === document.updatedAt);
    states.push(inJournal ?? (await stateFromHistory(table, envId, version, document)));
  }
  return states;
}

/** The state after a version is the state before the next change. Without one, it is the present state. */
async function stateFromHistory(
  table: Table,
  envId: string,
  version: number,
  { kind, id, updatedAt }: ChangedDocument,
): Promise<StoredDocument | undefined> {
  // Before the history: a change between both reads is then in the history.
  const present = await new DocumentReader(table).find(envId, kind, id);
  if (present?.updatedAt === updatedAt) return present;
  const { pk, sk } = keys.history(envId, version);
  for await (const item of itemsUnder(table, pk, sortKeys('>', sk))) {
    const { documents } = fromHistoryItem(item);
    const next = documents.find((each) => each.kind === kind && each.id === id && !each.isFollower);
    if (next) return next.before;
  }
  return present;
}
