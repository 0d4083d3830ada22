import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { RecordedChange } from '../../shared/store/recordedChange.ts';
import type { ReleasePlan } from '../../shared/store/releasePlan.ts';
import { type ChangeEvent, environmentText } from './changeEvent.ts';

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
  const { at, reason, guard = null } = state;
  const detail = {
    id: `${envId}/${id}/${revision}`,
    environment,
    plan: id,
    kind,
    key: documentId,
    guard,
    reason,
    at: formatTimestamp(at),
    by,
    command,
    resume: `flags plan resume ${id} --env ${environmentText(environment)}`,
  };
  const detailType = guard === null ? 'Plan Paused' : 'Guard Fired';
  return { source: 'flagwire', detailType, time: at, detail: JSON.stringify(detail) };
}
