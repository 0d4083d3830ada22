import { quoteWord } from '../shared/command/quoteWord.ts';
import { formatName } from '../shared/flags/document.ts';
import { formatTimestamp } from '../shared/flags/timestamp.ts';
import type { PlanState, ReleasePlan, StepOutcome } from '../shared/plans/releasePlan.ts';
import type { Session } from './session.ts';
import { counted } from './text.ts';

/** The display name of a segment id. */
type SegmentName = (id: string) => string;

/** How a session shows times and authors. */
type Words = Pick<Session, 'time' | 'plain'>;

/** The flag or segment of a plan: `flag "f"`. */
export function targetText({ kind, documentId }: ReleasePlan, segmentName: SegmentName): string {
  return formatName({ kind, id: kind === 'segment' ? segmentName(documentId) : documentId });
}

/** The name of a plan's flag or segment, as the word of a command. */
export function targetName({ kind, documentId }: ReleasePlan, segmentName: SegmentName): string {
  return quoteWord(kind === 'segment' ? segmentName(documentId) : documentId);
}

/** A plan by its flag or segment and its steps: `plan of flag "f" (3 steps)`. With `--verbose`, also by its id. */
export function planText(session: Session, plan: ReleasePlan, segmentName: SegmentName): string {
  const steps = counted(plan.steps.filter(({ isWatch }) => !isWatch).length, 'step');
  return `plan ${session.isVerbose ? `${plan.id} ` : ''}of ${targetText(plan, segmentName)} (${steps})`;
}

/** The state of a plan as one line. */
export function stateText(state: PlanState, { time, plain }: Words): string {
  if (state.kind === 'paused') return `paused: ${plain(state.reason)}`;
  if (state.kind === 'aborted') return `aborted by ${plain(state.by)}, ${time(state.at)}`;
  return state.kind === 'done' ? `done ${time(state.at)}` : 'running';
}

/** What became of a step. */
export function outcomeText(outcome: StepOutcome, { time, plain }: Words): string {
  if (outcome.kind === 'waiting') return 'waiting';
  const by = outcome.kind === 'skipped' && outcome.by ? ` by ${plain(outcome.by)},` : '';
  return `${outcome.kind}${by} ${time(outcome.at)}`;
}

/** A plan for `--json`. Times are in ISO 8601. */
export function planJson({ revision: _revision, content: _content, before: _before, ...plan }: ReleasePlan): object {
  const steps = plan.steps.map((step) => ({ ...withTime(step), outcome: withTime(step.outcome) }));
  return { ...plan, createdAt: formatTimestamp(plan.createdAt), state: withTime(plan.state), steps };
}

function withTime<T extends { readonly at?: number } | { readonly kind: string }>(value: T): object {
  return 'at' in value && value.at !== undefined ? { ...value, at: formatTimestamp(value.at) } : value;
}
