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
 */
export function reportChanges(session: Session, written: readonly StoredDocument[], done: string, state = done): void {
  const followers = written.slice(1);
  report(session, written, done, state, followers.length > 0 ? `; updated with it: ${namesOf(followers)}` : '');
}

/** Reports the documents that an undo has written. */
export function reportUndo(session: Session, written: readonly StoredDocument[], done: string, state: string): void {
  report(session, written, done, state, `; changed: ${namesOf(written)}`);
}

function report(
  session: Session,
  written: readonly StoredDocument[],
  done: string,
  state: string,
  others: string,
): void {
  const [first] = written;
  const text = first ? `${doneText(session, done, first)}${others}` : unchangedText(session, state);
  session.result(resultOf(session, written), text);
}

function namesOf(documents: readonly StoredDocument[]): string {
  return firstOf(documents.map(nameOf), NAMED_DOCUMENTS);
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

function nameOf(document: StoredDocument): string {
  const { kind, id } = document;
  return formatName({ kind, id: kind === 'segment' ? (contentOf(document)?.name ?? id) : id });
}

function resultOf({ schedule }: Session, written: readonly StoredDocument[]) {
  if (schedule) return { plans: schedule.plans.map(planJson), changes: [] };
  return { changes: changesJson(written) };
}

/** The documents that a command has written, for programs. */
export function changesJson(written: readonly StoredDocument[]) {
  return written.map(({ kind, id, updatedAt }) => ({ kind, id, updatedAt: formatTimestamp(updatedAt) }));
}

function doneText(session: Session, done: string, { kind, id, updatedAt }: StoredDocument): string {
  const plan = session.schedule?.plans.find((each) => each.kind === kind && each.documentId === id);
  if (plan) {
    const steps = plan.steps.filter(({ isWatch }) => !isWatch).length;
    const of = steps > 1 ? `added to plan ${plan.id}, step ${steps} of ${steps}` : `plan ${plan.id}`;
    const abort = session.typable(`plan abort ${plan.id}`);
    return `scheduled for ${formatTimestamp(updatedAt)}: ${done} (${of}, ${session.where()}); to abort${steps > 1 ? ' the plan' : ''}: ${abort}`;
  }
  const details = session.isVerbose ? ` (version ${formatTimestamp(updatedAt)}, ${session.where()})` : '';
  return `✓ ${done}${placeText(session)}${details}`;
}

function unchangedText(session: Session, state: string): string {
  return `no change: ${state}${placeText(session)}`;
}

function placeText({ environmentName }: Session): string {
  const name = environmentName();
  return name === undefined ? '' : ` in ${name}`;
}
