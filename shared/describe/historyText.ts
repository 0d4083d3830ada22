import type { Document } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import { isJsonObject } from '../flags/reader.ts';
import { isSplit, nameOfVariation } from '../flags/shares.ts';
import type { Difference } from './difference.ts';
import type { Change } from './documentChanges.ts';
import { sharesText } from './documentFacts.ts';
import { type DocumentNames, isShares, storedText } from './storedText.ts';

/** A document of the history: created by the change, or its differences. */
interface ChangedDocument {
  readonly isNew: boolean;
  /** As JSON stores them: an undefined side is absent. */
  readonly differences: readonly (Pick<Difference, 'path'> & Partial<Difference>)[];
}

const LABELS: Readonly<Record<string, string>> = {
  isEnabled: 'Switch',
  isArchived: 'Archived',
  isDeleted: 'Deleted',
  variationType: 'Type',
  disabledVariationId: 'When off, serve',
  targetUsers: 'Individual targets',
  fallthrough: 'Default rule',
  exptIncludeAllTargets: 'All users sent to experiments',
};

/** A changed flag with its variations from before and after. @returns undefined for a segment */
export function changedFlag(
  kind: Document['kind'],
  before: Document['document'] | undefined,
  after: Document['document'] | undefined,
): Flag | undefined {
  const states = [after, before].filter((state): state is Flag => kind === 'flag' && state !== undefined);
  const [flag] = states;
  return flag && { ...flag, variations: states.flatMap(({ variations }) => variations) };
}

/** The effect of a change on a document. */
export function changesIn({ differences }: ChangedDocument, names: DocumentNames): Change[] {
  return withWholeRollouts(differences).map(({ path, before, after }) => {
    const inPercent = [before, after].some((side) => isShares(side) && isSplit(side));
    const text = (side: unknown) =>
      inPercent && isShares(side) ? sharesText(names.flag, { variations: side }, true) : valueText(path, side, names);
    return { label: labelOf(path, names), before: text(before), after: text(after) };
  });
}

/** The variation of a share and the path of its rollout. @returns undefined for the path of another value */
function shareAt(path: string): { readonly rollout: string; readonly id: string } | undefined {
  const at = path.lastIndexOf(VARIATIONS);
  const rollout = path.slice(0, Math.max(0, at));
  if (rollout !== 'fallthrough' && !rollout.startsWith('rules.')) return undefined;
  const [id = '', field = 'rollout', ...more] = path.slice(at + VARIATIONS.length).split('.');
  return field === 'rollout' && more.length === 0 ? { rollout, id } : undefined;
}

const VARIATIONS = '.variations.';

/** Joins the differences of one rollout. Its unchanged shares are added up as “others”. */
function withWholeRollouts(differences: ChangedDocument['differences']): ChangedDocument['differences'] {
  const rollouts = Map.groupBy(differences, ({ path }) => shareAt(path)?.rollout);
  return [...rollouts].flatMap(([rollout, parts]) => {
    if (rollout === undefined) return parts;
    const side = (of: 'before' | 'after') => {
      const shares = parts.flatMap(({ path, [of]: value }) => {
        const range = Array.isArray(value) ? value : isJsonObject(value) ? value['rollout'] : undefined;
        return range === undefined ? [] : [{ id: shareAt(path)?.id, rollout: range as [number, number] }];
      });
      const others = 1 - shares.reduce((sum, { rollout: [lower, upper] }) => sum + upper - lower, 0);
      shares.sort((one, other) => one.rollout[0] - other.rollout[0]);
      return others < 0.0001 ? shares : [...shares, { id: 'others', rollout: [0, others] }];
    };
    return [{ path: `${rollout}.variations`, before: side('before'), after: side('after') }];
  });
}

/** The effect of an undo on a document. A document that the change created is archived, so that SDKs drop it. */
export function undoneIn(document: ChangedDocument, names: DocumentNames): Change[] {
  if (document.isNew) return [{ label: labelOf('isArchived', names), before: 'no', after: 'yes' }];
  return changesIn(document, names).map(({ label, before, after }) => ({ label, before: after, after: before }));
}

/** A path in a document, in words: `rules.Staff.conditions` belongs to the rule “Staff”. */
function labelOf(path: string, { flag }: DocumentNames): string {
  const [field = '', ...names] = path.split('.');
  const label = LABELS[field] ?? field.charAt(0).toUpperCase() + field.slice(1);
  const [first, ...within] = field === 'fallthrough' ? ['', ...names] : names;
  const of = first ? `${field === 'rules' ? 'Rule' : label} “${first}”` : label;
  const [part, id] = within;
  const isShare = part === 'variations' && id !== undefined && flag?.variations.some((each) => each.id === id);
  if (flag && isShare) return `${of}, ${nameOfVariation(flag, id)}`;
  return part === undefined || part === 'variations' ? of : `${of}, ${part}`;
}

function valueText(path: string, value: unknown, names: DocumentNames): string | undefined {
  if (path === 'isEnabled' && typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === undefined ? undefined : storedText(value, names);
}

const CONSOLE = 'console: ';
/** How many characters are kept of a longer command, without its reason of at most 200: the history keeps 1,000 of all. */
const KEPT = { first: 500, last: 250 };

/**
 * A command as the history stores it, with its reason. A long command is cut in the middle, because the source of a copy is
 * at its end.
 */
export function commandWithReason(command: string, reason: string | undefined): string {
  const isLong = command.length > KEPT.first + KEPT.last;
  const kept = isLong ? `${command.slice(0, KEPT.first)} … ${command.slice(-KEPT.last)}` : command;
  return reason ? `${kept} (${reason})` : kept;
}

/** What a console's command did, and its reason, which follows in parentheses. Names in quotes may contain parentheses. */
function splitReason(text: string): [done: string, reason?: string] {
  let from = 0;
  for (;;) {
    const [quote, bracket] = [text.indexOf('“', from), text.indexOf(' (', from)];
    if (bracket < 0 || !text.endsWith(')')) return [text];
    if (quote < 0 || bracket < quote) return [text.slice(0, bracket), text.slice(bracket + 2, -1)];
    from = text.indexOf('”', quote) + 1;
    if (from === 0) return [text];
  }
}

/**
 * How a change was made: by a command or in the console. The console's action is shown elsewhere. So only the source of a
 * copy, the change that an undo reverted, and the reason are added.
 */
export function commandText(command: string): string {
  const [step = ''] = STEP.exec(command) ?? [];
  const [ended = ''] = ENDED.exec(command.slice(Math.max(step.length, command.lastIndexOf(';')))) ?? [];
  const line = command.slice(step.length, command.length - ended.length);
  if (!line.startsWith(CONSOLE)) return command;
  const [done, reason] = splitReason(line.slice(CONSOLE.length));
  const shown = /^(undid|copied) /.test(done) ? `: ${done}` : '';
  return `${step}console${shown}${ended}${reason === undefined ? '' : ` — ${reason}`}`;
}

/** The step of a plan, before a command. */
const STEP = /^(?:step \d+ of \d+|undo of the applied steps): /;
/** `endedPlansText` of shared/plans, after a command. */
const ENDED = /^; ended (?:its plan|\d+ plans)$/;
