import { changesOf, changeText } from '../../shared/describe/documentChanges.ts';
import type { SegmentName } from '../../shared/describe/documentFacts.ts';
import { type ChangeAction, changeAction } from '../../shared/flags/changeAction.ts';
import type { Document } from '../../shared/flags/document.ts';
import { shortened } from '../../shared/flags/texts.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { ReleasePlan } from '../../shared/plans/releasePlan.ts';
import type { RecordedChange, RecordedDocument } from '../../shared/store/history/recordedChange.ts';

/** An event for `PutEvents`. */
export interface ChangeEvent {
  readonly source: 'flagwire';
  readonly detailType: 'Flag Changed' | 'Segment Changed' | 'Plan Paused' | 'Guard Fired';
  /** Unix milliseconds. */
  readonly time: number;
  /** JSON: a {@link ChangeDetail}, or the detail of a plan. */
  readonly detail: string;
}

/** The content of an event (docs/events.md). Versions and times are ISO 8601 with milliseconds. */
export interface ChangeDetail {
  /** The same at each delivery. A version is unique in its environment. */
  readonly id: string;
  readonly environment: RecordedChange['environment'];
  readonly kind: 'flag' | 'segment';
  /** The flag's key or the segment's id. */
  readonly key: string;
  readonly name: string;
  readonly action: ChangeAction;
  /** The new version of the flag or segment. */
  readonly version: string;
  /** Its version before. Null if it is new. */
  readonly previousVersion: string | null;
  /** The version of the change in the history. Flags and segments of one change share it. */
  readonly change: string;
  readonly at: string;
  readonly by: string;
  /** The command, or the action in the console, with its reason. */
  readonly command: string;
  /** The differences in words. */
  readonly summary: string;
  /** The command that undoes the change. */
  readonly undo: string;
  /** Null if it is new. */
  readonly before?: Document['document'] | null;
  readonly after?: Document['document'] | null;
  /** Present if `before` and `after` are left out. */
  readonly isTruncated?: true;
}

/** The size limit of a request to EventBridge is 256 KB for all of its entries. */
export const REQUEST_LIMIT_BYTES = 250 * 1024;
/** EventBridge counts the time of an entry as this many bytes. */
const TIME_BYTES = 14;
/** Maximum number of characters of a name, and of each text of a plan. */
const TEXT_LIMIT = 1_000;
const SUMMARY = { changes: 20, valueCharacters: 200, labelCharacters: 200 };

/** A name that needs no quotes in a shell. */
const PLAIN = /^\w[\w.-]*$/;

/** The events of a transaction, one for each changed flag and segment. */
export function eventsOf(change: RecordedChange, segmentName: SegmentName): ChangeEvent[] {
  return change.documents.map((document) => {
    const detail = detailOf(change, document, segmentName);
    const { before, after, ...rest } = detail;
    const event = eventOf(change, document, detail);
    return bytesOfEvent(event) <= REQUEST_LIMIT_BYTES
      ? event
      : eventOf(change, document, { ...rest, isTruncated: true });
  });
}

/** An environment in a command: its name, or its id if the name has special characters. */
function environmentText({ id, name }: RecordedChange['environment']): string {
  return PLAIN.test(name) ? name : id;
}

/** The size of an event as EventBridge counts it. */
export function bytesOfEvent({ source, detailType, detail }: ChangeEvent): number {
  return TIME_BYTES + source.length + detailType.length + Buffer.byteLength(detail);
}

function eventOf({ at }: RecordedChange, { kind }: RecordedDocument, detail: ChangeDetail): ChangeEvent {
  const detailType = kind === 'flag' ? 'Flag Changed' : 'Segment Changed';
  return { source: 'flagwire', detailType, time: at, detail: JSON.stringify(detail) };
}

function detailOf(change: RecordedChange, document: RecordedDocument, segmentName: SegmentName): ChangeDetail {
  const { environment, by, command } = change;
  const { kind, id, before, after, previous } = document;
  const version = formatTimestamp(document.updatedAt);
  const undone = formatTimestamp(change.change);
  const action = previous === undefined ? 'created' : changeAction(before, after);
  return {
    id: `${environment.id}/${document.updatedAt}`,
    environment,
    kind,
    key: id,
    name: (after ?? before)?.name.slice(0, TEXT_LIMIT) ?? id,
    action,
    version,
    previousVersion: previous === undefined ? null : formatTimestamp(previous),
    change: undone,
    at: formatTimestamp(change.at),
    by,
    command,
    summary: summaryOf(action, document, segmentName),
    undo: `flags undo ${undone} --env ${environmentText(environment)}`,
    before: before ?? null,
    after: after ?? null,
  };
}

function summaryOf(action: ChangeAction, { kind, before, after }: RecordedDocument, segmentName: SegmentName): string {
  if (action === 'created' || action === 'deleted' || !before || !after) return action;
  const documentOf = (state: Document['document']) => ({ kind, document: state }) as Document;
  const changes = changesOf(documentOf(before), documentOf(after), segmentName);
  const shown = changes
    .slice(0, SUMMARY.changes)
    .map((each) =>
      changeText({ ...each, label: shortened(each.label, SUMMARY.labelCharacters) }, SUMMARY.valueCharacters),
    );
  const rest = changes.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ') || action;
}

/** Whether a write of a plan paused it, given the plan before and after it. A plan that stays paused has no further event. */
export function isPausing(before: ReleasePlan | undefined, { state }: ReleasePlan): boolean {
  if (state.kind !== 'paused') return false;
  const was = before?.state;
  return !(was?.kind === 'paused' && was.at === state.at && was.guard === state.guard);
}

/** The event of a paused plan. */
export function planEventOf(
  {
    id,
    envId,
    kind,
    documentId,
    by,
    command,
    state,
    revision,
  }: ReleasePlan & { readonly state: { readonly kind: 'paused' } },
  environment: RecordedChange['environment'],
): ChangeEvent {
  const { at, guard = null } = state;
  const [key, reason] = [documentId, state.reason].map((text) => shortened(text, TEXT_LIMIT)) as [string, string];
  const resume = `flags plan resume ${id} --env ${environmentText(environment)}`;
  const text = `Flagwire: the plan of ${kind} ${key} in environment ${environment.name} is paused: ${reason}. To continue, run: ${resume}`;
  const detail = {
    id: `${envId}/${id}/${revision}`,
    environment,
    plan: id,
    kind,
    key,
    guard: guard && shortened(guard, TEXT_LIMIT),
    reason,
    at: formatTimestamp(at),
    by: shortened(by, TEXT_LIMIT),
    command: shortened(command, TEXT_LIMIT),
    resume,
    // Mails show it as JSON.
    text: text.replaceAll('"', "'"),
  };
  const detailType = guard === null ? 'Plan Paused' : 'Guard Fired';
  return { source: 'flagwire', detailType, time: at, detail: JSON.stringify(detail) };
}
