import { formatName } from '../shared/flags/document.ts';
import { formatTimestamp } from '../shared/flags/timestamp.ts';
import type { PlanState, ReleasePlan, StepOutcome } from '../shared/plans/releasePlan.ts';

/** The display name of a segment id. */
type SegmentName = (id: string) => string;

/** The flag or segment of a plan: `flag "f"`. */
export function targetText({ kind, documentId }: ReleasePlan, segmentName: SegmentName): string {
  return formatName({ kind, id: kind === 'segment' ? segmentName(documentId) : documentId });
}

/** The state of a plan as one line. */
export function stateText(state: PlanState): string {
  if (state.kind === 'paused') return `paused: ${state.reason}`;
  if (state.kind === 'aborted') return `aborted by ${state.by} at ${formatTimestamp(state.at)}`;
  return state.kind === 'done' ? `done at ${formatTimestamp(state.at)}` : 'running';
}

/** What became of a step. */
export function outcomeText(outcome: StepOutcome): string {
  if (outcome.kind === 'waiting') return 'waiting';
  const by = outcome.kind === 'skipped' && outcome.by ? ` by ${outcome.by}` : '';
  return `${outcome.kind}${by} at ${formatTimestamp(outcome.at)}`;
}

/** A plan for `--json`. Times are in ISO 8601. */
export function planJson({ revision: _revision, content: _content, before: _before, ...plan }: ReleasePlan): object {
  const steps = plan.steps.map((step) => ({ ...withTime(step), outcome: withTime(step.outcome) }));
  return { ...plan, createdAt: formatTimestamp(plan.createdAt), state: withTime(plan.state), steps };
}

function withTime<T extends { readonly at?: number } | { readonly kind: string }>(value: T): object {
  return 'at' in value && value.at !== undefined ? { ...value, at: formatTimestamp(value.at) } : value;
}
