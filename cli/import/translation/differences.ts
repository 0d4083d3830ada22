import { compileOperator } from '../../../shared/evaluation/compileOperator.ts';
import type { Flag } from '../../../shared/flags/flag.ts';
import { type Condition, isSegmentCondition, type Rollout } from '../../../shared/flags/rule.ts';
import type { Segment } from '../../../shared/flags/segment.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { firstOf } from '../../text.ts';
import causes from './causes.json' with { type: 'json' };
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

/**
 * A difference. causes.json has the message for each cause. Without a scope it is about the meaning of a flag's values, and affects no
 * single context.
 */
export interface Difference {
  readonly cause: keyof typeof causes;
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

/** A line that is printed once if an import has such differences. */
const ATTRIBUTES_ARE_TEXT =
  'attributes are text here: a list is its JSON, 18 is "18", true is "true"; no list equals its members, and empty text is a missing attribute';

/** Maximum number of flags listed for a segment. */
const NAMED_FLAGS = 5;

/** An imported document and its differences. */
export interface DocumentDifferences {
  /** Its display name. */
  readonly called: string;
  /** For a segment, the flags that refer to it. */
  readonly flags?: readonly string[];
  readonly differences: readonly Difference[];
}

/** Differences as lines: one for each cause of each document, and a common one for attributes. */
export function differenceLines(documents: readonly DocumentDifferences[]): string[] {
  const lines = documents.flatMap(({ called, flags = [], differences }) => {
    const found = [...new Set(differences.map(({ cause }) => cause))];
    const users = flags.length === 0 ? '' : ` (in ${firstOf(flags, NAMED_FLAGS)})`;
    return found.map((cause) => {
      const own = differences.filter((difference) => difference.cause === cause);
      const moved = Math.max(0, ...own.map(({ scope }) => (scope?.kind === 'drawn' ? scope.moved : 0)));
      const where = placesOf(own);
      const extent = moved > 0 ? `; up to ${Math.round(moved * 100)} % of users get another variation` : '';
      return `${called}${users}: ${causes[cause]}${extent}${where === '' ? '' : `; it can differ where ${where}`}`;
    });
  });
  const isAboutText = documents.some(({ differences }) => differences.some(({ cause }) => cause === 'text'));
  return isAboutText ? [...lines, ATTRIBUTES_ARE_TEXT] : lines;
}

/** The values that differences are about, by attribute. */
function placesOf(differences: readonly Difference[]): string {
  const kinds = new Map<string, Set<ValueKind>>();
  for (const { scope } of differences) {
    if (scope?.kind !== 'attribute') continue;
    const known = kinds.get(scope.attribute) ?? new Set();
    for (const kind of scope.values) known.add(kind);
    kinds.set(scope.attribute, known);
  }
  return Array.from(kinds, ([attribute, values]) => `"${attribute}" is ${wordsOf(values)}`).join('; where ');
}

const WORDS: readonly (readonly [words: string, kinds: readonly ValueKind[]])[] = [
  ['missing', ABSENT],
  ['missing', ['missing']],
  ['null', ['null']],
  ['empty', ['empty']],
  ['text', TEXTS],
  ['a number as text', ['number text']],
  ['text', ['other text']],
  ['a number', NUMBERS],
  ['a whole number', ['whole number']],
  ['a fraction', ['fraction']],
  ['true or false', ['boolean']],
  ['a list', ['list']],
  ['an object', ['object']],
];

function wordsOf(values: ReadonlySet<ValueKind>): string {
  const left = new Set(values);
  const words = WORDS.flatMap(([text, kinds]) => {
    if (!kinds.every((kind) => left.has(kind))) return [];
    for (const kind of kinds) left.delete(kind);
    return [text];
  });
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : words.join('');
}
