import { addedSdkDifferences } from '../shared/describe/sdks/sdkDifferences.ts';
import { type Document, documentTitle } from '../shared/flags/document.ts';
import type { Flag } from '../shared/flags/flag.ts';
import type { Session } from './session.ts';
import { firstOf } from './text.ts';

/** Maximum number of documents named in a note. */
const MAX_NAMED_DOCUMENTS = 3;
/** Maximum number of notes on conditions. */
const MAX_CONDITION_NOTES = 5;

/** A known difference between a provider's values and the service's. */
interface SdkNote {
  /** The affected parts of a document, as texts. */
  readonly find: (document: Document) => readonly string[];
  /** @param names the documents, such as `flag "a"` */
  readonly text: (names: string) => string;
}

/** The sources are in docs/flags.md and docs/decisions/0020-ofrep.md. */
const NOTES: readonly SdkNote[] = [
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
  const earlier = new Map(before.map((document) => [documentTitle(document), document]));
  const note = (text: string) => session.note(`note: ${text} (docs/flags.md, "Differences between SDKs")`);
  const named = (documents: readonly Document[]) => firstOf(documents.map(documentTitle), MAX_NAMED_DOCUMENTS);
  const onConditions = new Map<string, Document[]>();
  for (const document of after) {
    for (const difference of addedSdkDifferences(earlier.get(documentTitle(document)), document))
      onConditions.set(difference, [...(onConditions.get(difference) ?? []), document]);
  }
  for (const [difference, documents] of [...onConditions].slice(0, MAX_CONDITION_NOTES))
    note(`FeatBit's server-side SDKs differ in the rules of ${named(documents)}: ${difference}`);
  if (onConditions.size > MAX_CONDITION_NOTES)
    note(`FeatBit's server-side SDKs differ in ${onConditions.size - MAX_CONDITION_NOTES} more ways`);
  for (const { find, text } of NOTES) {
    const concerned = after.filter((document) => {
      const former = earlier.get(documentTitle(document));
      const known = new Set(former ? find(former) : []);
      return find(document).some((part) => !known.has(part));
    });
    if (concerned.length > 0) note(text(named(concerned)));
  }
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
