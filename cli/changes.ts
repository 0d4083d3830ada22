import { quoteWord } from '../shared/command/quoteWord.ts';
import { formatName } from '../shared/flags/document.ts';
import { formatTimestamp } from '../shared/flags/timestamp.ts';
import { contentOf, type StoredDocument } from '../shared/store/documents/item.ts';
import { planJson } from './planText.ts';
import type { Session } from './session.ts';
import { firstOf } from './text.ts';

/** Maximum number of documents named in a result. */
const NAMED_DOCUMENTS = 20;

/**
 * Reports the documents that a command has written: the changed one, then the flags that were updated with it.
 *
 * @param done what the command did
 * @param state the state, for a command that changed nothing
 * @param others what else changed, as a clause
 */
export function reportChanges(
  session: Session,
  written: readonly StoredDocument[],
  done: string,
  state = done,
  others = written.length > 1 ? `; updated with it: ${namesOf(written.slice(1))}` : '',
): void {
  const [first] = written;
  const text = first ? `${doneText(session, done, first)}${others}` : unchangedText(session, state);
  session.result(resultOf(session, written), text);
}

/** Documents by their names. A long list is cut. */
export function namesOf(documents: readonly StoredDocument[]): string {
  return firstOf(
    documents.map((document) => formatName({ kind: document.kind, id: shortNameOf(document) })),
    NAMED_DOCUMENTS,
  );
}

/** Reports the documents that a command has written for several flags, one line each. */
export function reportFlags(
  session: Session,
  keys: readonly string[],
  written: readonly StoredDocument[],
  done: (key: string) => string,
  state = done,
): void {
  const byKey = new Map(written.map((document) => [document.id, document]));
  const lines = [...new Set(keys)].map((key) => {
    const document = byKey.get(key);
    return document ? doneText(session, done(key), document) : unchangedText(session, state(key));
  });
  session.result(resultOf(session, written), lines);
}

/** The key of a flag, or the name of a segment. */
function shortNameOf(document: StoredDocument): string {
  const { kind, id } = document;
  return kind === 'segment' ? (contentOf(document)?.name ?? id) : id;
}

function resultOf({ schedule }: Session, written: readonly StoredDocument[]) {
  if (schedule) return { plans: schedule.plans.map(planJson), changes: [] };
  return { changes: changesJson(written) };
}

/** The documents that a command has written, for programs. */
export function changesJson(written: readonly StoredDocument[]) {
  return written.map(({ kind, id, updatedAt }) => ({ kind, id, updatedAt: formatTimestamp(updatedAt) }));
}

/** The command that undoes a change. Without a version, it offers the last change. @param environment as in `typable` */
export function undoHint({ isVerbose, typable }: Session, written: readonly StoredDocument[], environment?: string) {
  const version = written.at(-1)?.updatedAt;
  return typable(isVerbose && version !== undefined ? `undo ${formatTimestamp(version)}` : 'undo', environment);
}

function doneText(session: Session, done: string, document: StoredDocument): string {
  const { kind, id, updatedAt } = document;
  const plan = session.schedule?.plans.find((each) => each.kind === kind && each.documentId === id);
  if (!plan) return `✓ ${done}${session.where(updatedAt)}`;
  const steps = plan.steps.filter(({ isWatch }) => !isWatch).length;
  const of = steps > 1 ? ` (step ${steps} of ${steps} of its plan)` : '';
  const named = session.isVerbose ? plan.id : quoteWord(shortNameOf(document));
  const abort = session.typable(`plan abort ${named}`);
  return `scheduled for ${session.time(updatedAt)}: ${done}${session.where()}${of}; to abort${steps > 1 ? ' the plan' : ''}: ${abort}`;
}

function unchangedText(session: Session, state: string): string {
  return `no change: ${state}${session.where()}`;
}
