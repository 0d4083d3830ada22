import { type Document, documentId, formatName } from '../shared/flags/document.ts';
import type { Flag } from '../shared/flags/flag.ts';
import type { Condition } from '../shared/flags/rule.ts';
import { firstOf } from './counted.ts';
import type { Session } from './session.ts';

/** Maximum number of documents named in a note. */
const MAX_NAMED_DOCUMENTS = 3;

/** A known difference between an SDK's evaluation and the service's. */
interface SdkNote {
  /** The affected parts of a document, as texts. */
  readonly find: (document: Document) => readonly string[];
  /** @param names the documents, such as `flag "a"` */
  readonly text: (names: string) => string;
}

/** The sources are in docs/flags.md and docs/decisions/0020-ofrep.md. */
const NOTES: readonly SdkNote[] = [
  {
    find: expressionsIn,
    text: (names) =>
      `FeatBit's Node SDK swaps text and pattern of "matches" and "not matches". Servers that use it evaluate the rules of ${names} differently`,
  },
  {
    find: listsIn,
    text: (names) =>
      `OpenFeature's OFREP provider for Rust takes JSON objects only. For a list, as in ${names}, it returns the default in your code`,
  },
  {
    find: mixedNumbersIn,
    text: (names) =>
      `OpenFeature's OFREP providers for Python and Java return the default in your code for a float whose value is an integer. Write 2.0 for 2 in ${names}, which has both`,
  },
];

/**
 * Notes changes that some SDKs evaluate differently, one line for each difference. It notes each once, when it is
 * written.
 *
 * @param before the documents of the environment
 * @param after the written documents
 */
export function noteSdkDifferences(
  session: Pick<Session, 'note'>,
  before: readonly Document[],
  after: readonly Document[],
): void {
  const earlier = new Map(before.map((document) => [nameOf(document), document]));
  for (const { find, text } of NOTES) {
    const concerned = after.filter((document) => {
      const former = earlier.get(nameOf(document));
      const known = new Set(former ? find(former) : []);
      return find(document).some((part) => !known.has(part));
    });
    if (concerned.length > 0)
      session.note(
        `note: ${text(firstOf(concerned.map(nameOf), MAX_NAMED_DOCUMENTS))} (docs/flags.md, "Differences between SDKs")`,
      );
  }
}

function nameOf(document: Document): string {
  const { kind } = document;
  return formatName({ kind, id: kind === 'segment' ? document.document.name : documentId(document) });
}

function expressionsIn({ document }: Document): string[] {
  const conditions = document.rules.flatMap((rule): readonly Condition[] => rule.conditions);
  return conditions
    .filter(({ op }) => op === 'MatchRegex' || op === 'NotMatchRegex')
    .map(({ property, op, value }) => JSON.stringify([property, op, value]));
}

function listsIn(document: Document): string[] {
  return valuesOf(document, 'json').filter((value) => value.trim().startsWith('['));
}

/** All values of a flag as one text, if some are written as integers in JSON and others are not. */
function mixedNumbersIn(document: Document): string[] {
  const values = valuesOf(document, 'number');
  const integers = values.filter((value) => /^\s*-?\d+\s*$/.test(value)).length;
  return integers > 0 && integers < values.length ? [values.join()] : [];
}

function valuesOf({ kind, document }: Document, type: Flag['variationType']): string[] {
  if (kind !== 'flag' || document.variationType !== type) return [];
  return document.variations.map(({ value }) => value);
}
