import { shortened } from '../../shared/flags/texts.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { ReleasePlan } from '../../shared/plans/releasePlan.ts';
import type { RecordedChange } from '../../shared/store/history/recordedChange.ts';
import { type ChangeEvent, environmentText } from './changeEvent.ts';

/** Maximum number of characters of each text of an event. */
const TEXT_LIMIT = 1_000;

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
