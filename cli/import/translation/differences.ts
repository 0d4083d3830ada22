import { compileOperator } from '../../../shared/evaluation/operator.ts';
import type { Flag } from '../../../shared/flags/flag.ts';
import { type Condition, isSegmentCondition, type Rollout } from '../../../shared/flags/rule.ts';
import type { Segment } from '../../../shared/flags/segment.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { numberText } from './values.ts';

/**
 * The kinds of values that a context can have for an attribute. `empty` is the empty text. A `number text` is written
 * as JavaScript formats the number (`"18"`, not `"18.0"`).
 */
export type ValueKind =
  | 'missing'
  | 'null'
  | 'empty'
  | 'number text'
  | 'other text'
  | 'whole number'
  | 'fraction'
  | 'boolean'
  | 'list'
  | 'object';

/** The contexts that a difference affects: those in a percentage rollout, or those with such values of an attribute. */
export type Scope =
  | {
      readonly kind: 'drawn' /** The expected part of these users that get another variation. */;
      readonly moved: number;
    }
  | { readonly kind: 'attribute'; readonly attribute: string; readonly values: readonly ValueKind[] };

/** The message for each cause of a difference between an imported document and the original. */
export const CAUSES = {
  percentages: 'has a percentage rollout: it selects other users',
  text: 'attributes are text here',
  numbers: 'compares numbers; here only numbers match',
  name: 'has a negative condition on name; here it does not match users without a name',
  expression: 'has a regular expression; here RE2 evaluates it',
  case: 'ignores case; here only for letters with two forms',
  filledIn: 'uses a value that SDKs of Unleash fill in; send it as an attribute',
  drawnAnew:
    'splits variants by an attribute; without it, Unleash picks a variant at random each time, here always the same one',
  disabledVariant:
    'has variants: it serves the value of the variant, and the variation "disabled" when it is off or has none',
  disabledValue: 'has values: when off, it serves the variation "disabled"',
  unusedValue: 'has a value that no user gets: it serves true or false',
  caseMatters: 'ignores case; here upper and lower case differ',
  bucketing: 'splits users by an attribute; without it, SDKs get the default in your code, here a variation',
  progressive: 'has a progressive rollout: it keeps the shares of the time of the import',
  scheduled: 'has scheduled changes, which are not imported',
  experiment: 'has an experiment; its dates are not imported',
  disabled: 'is disabled: it is archived here, and SDKs return the default in your code',
  offVariation: 'has no off variation: it serves an empty value when off',
} as const;

/** A difference. Without a scope it is about the meaning of a flag's values, and affects no single context. */
export interface Difference {
  readonly cause: keyof typeof CAUSES;
  readonly scope?: Scope;
}

/** Records a difference that the imported document does not show. */
export type Note = (difference: Difference) => void;

/** A missing value. Most services treat null as missing. */
export const ABSENT: readonly ValueKind[] = ['missing', 'null'];
export const TEXTS: readonly ValueKind[] = ['number text', 'other text'];
export const NUMBERS: readonly ValueKind[] = ['whole number', 'fraction'];
/** Values that are present but not text. */
export const NO_TEXTS: readonly ValueKind[] = [...NUMBERS, 'boolean', 'list', 'object'];

/** Records that an attribute with such values may have another result. For a key, only non-empty text is possible. */
export function noteValues(
  note: Note,
  attribute: string,
  values: readonly ValueKind[],
  cause: Difference['cause'] = 'text',
): void {
  const possible = attribute === 'keyId' ? values.filter((kind) => TEXTS.includes(kind)) : values;
  if (possible.length > 0) note({ cause, scope: { kind: 'attribute', attribute, values: possible } });
}

/** Kinds of values, other than text, that become one of these texts here. */
export function kindsWrittenAs(texts: readonly string[]): readonly ValueKind[] {
  return texts.flatMap((text): readonly ValueKind[] => {
    if (isNumberText(text)) return [Number.isInteger(Number(text)) ? 'whole number' : 'fraction'];
    if (text === 'true' || text === 'false') return ['boolean'];
    if (text.startsWith('[')) return ['list'];
    return text.startsWith('{') ? ['object'] : [];
  });
}

/** Whether a text is the text form of a number here. */
export function isNumberText(text: string): boolean {
  return text !== '' && Number.isFinite(Number(text)) && numberText(text) === text;
}

/** Kinds of values, other than text, whose text here can contain one of these parts. */
export function kindsWithPart(
  op: 'StartsWith' | 'EndsWith' | 'Contains' | 'MatchRegex',
  parts: readonly string[],
): readonly ValueKind[] {
  const meets = parts.map((part) => compileOperator(op, part));
  const isAnywhere = op === 'Contains' || op === 'MatchRegex';
  const isBetween = (open: string, close: string) =>
    parts.some((part) => isAnywhere || (op === 'StartsWith' ? part.startsWith(open) : part.endsWith(close)));
  const kinds: [ValueKind, boolean][] = [
    ...NUMBERS.map((kind): [ValueKind, boolean] => [
      kind,
      op === 'MatchRegex' || parts.some((part) => /^[-+.e\d]*$/.test(part)),
    ]),
    ['boolean', meets.some((isMet) => isMet('true') || isMet('false'))],
    ['list', isBetween('[', ']')],
    ['object', isBetween('{', '}')],
  ];
  return kinds.filter(([, isPossible]) => isPossible).map(([kind]) => kind);
}

/** The differences that are the same for every service. */
export function differencesOf(document: Flag | Segment): readonly Difference[] {
  const splits = 'fallthrough' in document ? [document.fallthrough, ...document.rules] : [];
  const moved = Math.max(0, ...splits.map(movedShare));
  const asksName = document.rules.some((rule: { readonly conditions: readonly Condition[] }) =>
    asksWhatNameIsNot(rule.conditions),
  );
  return [
    ...(moved > 0 ? [{ cause: 'percentages', scope: { kind: 'drawn', moved } } as const] : []),
    ...(asksName
      ? [{ cause: 'name', scope: { kind: 'attribute', attribute: 'name', values: ['missing'] } } as const]
      : []),
  ];
}

/** The expected part of users that get another variation if they are drawn again: all but those drawn equally twice. */
function movedShare({ variations }: Pick<Rollout, 'variations'>): number {
  const shares = new Map<string, number>();
  for (const { id, rollout } of variations) shares.set(id, (shares.get(id) ?? 0) + rollout[1] - rollout[0]);
  return shares.size < 2 ? 0 : 1 - sumOf([...shares.values()], (share) => share ** 2);
}

/** A missing name never matches here. Elsewhere it matches like the empty text, unless a name is required. */
function asksWhatNameIsNot(conditions: readonly Condition[]): boolean {
  const ofName = conditions.filter((condition) => condition.property === 'name' && !isSegmentCondition(condition));
  const requires = (op: string) => ofName.some((condition) => condition.op === op && condition.value === '');
  if (requires('NotEqual') || requires('Contains')) return false;
  return ofName.some(({ op, value }) => compileOperator(op, value ?? '')(''));
}
