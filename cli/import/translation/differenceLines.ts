import { firstOf } from '../../text.ts';
import { ABSENT, CAUSES, type Difference, NUMBERS, TEXTS, type ValueKind } from './differences.ts';

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
    const causes = [...new Set(differences.map(({ cause }) => cause))];
    const users = flags.length === 0 ? '' : ` (in ${firstOf(flags, NAMED_FLAGS)})`;
    return causes.map((cause) => {
      const own = differences.filter((difference) => difference.cause === cause);
      const moved = Math.max(0, ...own.map(({ scope }) => (scope?.kind === 'drawn' ? scope.moved : 0)));
      const where = placesOf(own);
      const extent = moved > 0 ? `; up to ${Math.round(moved * 100)} % of users get another variation` : '';
      return `${called}${users}: ${CAUSES[cause]}${extent}${where === '' ? '' : `; it can differ where ${where}`}`;
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
