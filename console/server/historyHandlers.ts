import { changesOf } from '../../shared/describe/documentChanges.ts';
import { changeAction } from '../../shared/flags/changeAction.ts';
import { shortened } from '../../shared/flags/texts.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import { keepAnswers } from '../../shared/runtime/keepAnswers.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { openConnections } from '../../shared/store/connections/connections.ts';
import { findVersion, isComplete, readReceipt } from '../../shared/store/connections/receipt.ts';
import { liveText, receiptLines } from '../../shared/store/connections/receiptText.ts';
import { contentOf, readableDocument } from '../../shared/store/documents/item.ts';
import type { Change } from '../../shared/store/history/history.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import { readServiceTables } from '../../shared/store/table/serviceTables.ts';
import {
  type ChangedDocument,
  type ChangeReceipt,
  HISTORY_DIFFERENCES,
  HISTORY_DOCUMENTS,
  HISTORY_PAGE,
  HISTORY_SEARCHED,
  type HistoryChange,
} from '../history.ts';
import type { HistoryQuery } from '../schemas.ts';
import type { ConsoleContext, Handlers, OpenStore } from './consoleContext.ts';
import { shown } from './documentHandlers.ts';
import { versioned } from './environmentHandlers.ts';
import { RequestError } from './failure.ts';

/** Maximum length of a value in words, in characters. Longer values are cut. */
const VALUE_LIMIT = 2_000;

type Documents = Change['documents'];

/** Handlers of requests about the history: its pages, an environment at a past time, and undo. */
export function historyHandlers(open: OpenStore, { environments, history }: FlagStore) {
  return {
    'GET environments/:env/history': async ({ env, query }) => {
      const { before = Number.POSITIVE_INFINITY, since = 0 } = query;
      await environments.find(env);
      const changes: HistoryChange[] = [];
      let searched = 0;
      let last: number | undefined;
      for await (const change of history.changes(env)) {
        if (change.version >= before) continue;
        if (change.at < since) break;
        if (last !== undefined && searched === HISTORY_SEARCHED) return { changes, next: last };
        const wanted = matchingDocuments(change, query);
        if (last !== undefined && wanted.length > 0 && changes.length === HISTORY_PAGE) return { changes, next: last };
        if (wanted.length > 0) changes.push(shownChange(change, wanted));
        searched++;
        last = change.version;
      }
      return { changes };
    },
    'GET environments/:env/past': async ({ env, query: { at } }) => {
      const { version, documents } = await history.stateAt(env, at);
      return { version, documents: documents.flatMap((stored) => versioned(stored) ?? []) };
    },
    'POST environments/:env/undo': async ({ env, body: { version, remark } }) =>
      shown(await open(`undid the change of ${formatTimestamp(version)}`, remark).history.undo(env, version)),
  } satisfies Partial<Handlers>;
}

/** The requested documents of a change. Empty if the change itself is not requested. */
function matchingDocuments(
  change: Change,
  { kind, id, by = '', action, until = Number.POSITIVE_INFINITY }: HistoryQuery,
): Documents {
  if (change.at >= until || !change.by.toLowerCase().includes(by.toLowerCase())) return [];
  return change.documents.filter(
    (each) =>
      (kind === undefined || each.kind === kind) &&
      (id === undefined || each.id === id) &&
      (action === undefined || actionOf(each) === action),
  );
}

function shownChange(change: Change, documents: Documents): HistoryChange {
  const { version, at, by, command, signedBy } = change;
  const shown = documents.slice(0, HISTORY_DOCUMENTS).map((each) => shownDocument(each, change.segmentName));
  const moreDocuments = change.documents.length - shown.length;
  return { version, at, by, command, ...omitUndefined({ signedBy }), documents: shown, moreDocuments };
}

function shownDocument(document: Documents[number], segmentName: Change['segmentName']): ChangedDocument {
  const { kind, id } = document;
  const [before, after] = [document.before, document.after].map((stored) => stored && readableDocument(stored));
  const all = before && after ? changesOf(before, after, segmentName) : [];
  const shown = all.slice(0, HISTORY_DIFFERENCES);
  return {
    kind,
    id,
    isNew: document.before === undefined,
    action: actionOf(document),
    changes: shown.map(({ label, ...sides }) => ({ label, before: cut(sides.before), after: cut(sides.after) })),
    moreChanges: all.length - shown.length,
  };
}

function cut(text: string | undefined): string | undefined {
  return text && shortened(text, VALUE_LIMIT);
}

function actionOf({ before, after }: Documents[number]): ChangedDocument['action'] {
  return before === undefined ? 'created' : changeAction(contentOf(before), contentOf(after));
}

/** Cache duration of a receipt in milliseconds, because several pages read it. */
const KEPT_MS = 3_000;
/** Maximum number of cached receipts. */
const KEPT_RECEIPTS = 20;

/** Answers with the receipt of a change. */
export function receiptHandler(
  { environments, history, hosts, effects }: Pick<FlagStore, 'environments' | 'history' | 'hosts' | 'effects'>,
  { tables: { client, flags, connections } }: Pick<ConsoleContext, 'tables'>,
): Handlers['GET environments/:env/receipt'] {
  const kept = keepAnswers<ChangeReceipt>(KEPT_MS, KEPT_RECEIPTS);
  const read = async (envId: string, version: number | undefined): Promise<ChangeReceipt> => {
    const name = connections ?? (await readServiceTables({ client, name: flags, effects }))?.connections;
    if (name === undefined) {
      throw new RequestError('not-found', 'the table of connections is not known; name it with --connections');
    }
    const written = await findVersion(history, envId, version);
    if (!written) {
      const what = version === undefined ? 'no changes' : `no change ${formatTimestamp(version)}`;
      throw new RequestError('not-found', `the history has ${what}`);
    }
    const opened = openConnections({ client, connections: name }, effects);
    const receipt = await readReceipt(opened, hosts, envId, written);
    return {
      isComplete: isComplete(receipt),
      live: liveText(written, receipt),
      lines: receiptLines(written, receipt),
    };
  };
  return async ({ env, query: { version } }) => {
    const { id } = await environments.find(env);
    return kept(`${id} ${version}`, effects.now(), () => read(id, version));
  };
}
