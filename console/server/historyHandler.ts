import { type Difference, differences } from '../../shared/flags/difference.ts';
import type { Change } from '../../shared/store/history.ts';
import { contentOf } from '../../shared/store/item.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import {
  type ChangedDocument,
  HISTORY_DIFFERENCES,
  HISTORY_DOCUMENTS,
  HISTORY_PAGE,
  type HistoryChange,
} from '../api.ts';
import type { Handlers } from './consoleContext.ts';

/** The most characters that a value of a difference takes as JSON; a longer one is cut off, as text. */
const VALUE_LIMIT = 2_000;

/** Answers with a page of an environment’s history. */
export function historyHandler({ environments, history }: FlagStore): Handlers['GET environments/:env/history'] {
  return async ({ env, query: { kind, id, before = Number.POSITIVE_INFINITY } }) => {
    await environments.find(env);
    const changes: HistoryChange[] = [];
    for await (const change of history.changes(env)) {
      if (change.version >= before) continue;
      const wanted = change.documents.filter(
        (each) => (kind === undefined || each.kind === kind) && (id === undefined || each.id === id),
      );
      if (wanted.length === 0) continue;
      const last = changes.at(-1);
      if (last && changes.length === HISTORY_PAGE) return { changes, next: last.version };
      changes.push(shownChange(change, wanted));
    }
    return { changes };
  };
}

function shownChange({ version, at, by, command }: Change, documents: Change['documents']): HistoryChange {
  const shown = documents.slice(0, HISTORY_DOCUMENTS).map(shownDocument);
  return { version, at, by, command, documents: shown, moreDocuments: documents.length - shown.length };
}

function shownDocument({ kind, id, before, after }: Change['documents'][number]): ChangedDocument {
  const all = before ? differences(contentOf(before), contentOf(after)) : [];
  const shown = all.slice(0, HISTORY_DIFFERENCES).map(shortened);
  return { kind, id, isNew: before === undefined, differences: shown, moreDifferences: all.length - shown.length };
}

function shortened({ path, before, after }: Difference): Difference {
  const cut = (value: unknown) => {
    const text = JSON.stringify(value) ?? '';
    return text.length > VALUE_LIMIT ? `${text.slice(0, VALUE_LIMIT)}…` : value;
  };
  return { path, before: cut(before), after: cut(after) };
}
