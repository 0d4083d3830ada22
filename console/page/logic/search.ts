import { type Document, hasWords } from '../../../shared/flags/document.ts';
import { VARIATION_TYPES, type VariationType } from '../../../shared/flags/flag.ts';
import type { VersionedFlag } from '../../api.ts';
import { flagCount } from '../../flagBatch.ts';

/** State of the shown documents. */
export const STATES = ['all', 'on', 'off', 'archived'] as const;
export type State = (typeof STATES)[number];

/** Sort order: name, or last change, newest first. */
export const SORTS = ['name', 'changed'] as const;
type Sort = (typeof SORTS)[number];

/** A search of the list of flags. */
export interface FlagSearch {
  readonly words: string;
  readonly state: State;
  readonly type: VariationType | 'all';
  /** A flag matches if it has all tags. */
  readonly tags: readonly string[];
  readonly sort: Sort;
}

/** The search that shows all flags. */
export const ALL_FLAGS: FlagSearch = { words: '', state: 'all', type: 'all', tags: [], sort: 'name' };

/** True if a document matches the words and the state of a search. */
export function isFound(searched: Document, words: string, state: State): boolean {
  const { kind, document } = searched;
  if (document.isArchived !== (state === 'archived')) return false;
  if (kind === 'flag' && (state === 'on' || state === 'off') && document.isEnabled !== (state === 'on')) return false;
  return hasWords(searched, words);
}

/** The flags that match a search, sorted. */
export function findFlags(
  flags: readonly VersionedFlag[],
  { words, state, type, tags, sort }: FlagSearch,
): VersionedFlag[] {
  const found = flags.filter(
    (flag) =>
      isFound(flag, words, state) &&
      (type === 'all' || flag.document.variationType === type) &&
      tags.every((tag) => flag.document.tags.includes(tag)),
  );
  const byName = (a: VersionedFlag, b: VersionedFlag) => inOrder(shownName(a), shownName(b));
  return found.toSorted(sort === 'name' ? byName : (a, b) => b.version - a.version);
}

/** Compares names, and numbers in them by value: `flag-2` before `flag-10`. */
export const inOrder = new Intl.Collator(undefined, { numeric: true }).compare;

/** Display name of a flag. */
export function shownName({ document: { name, key } }: VersionedFlag): string {
  return name || key;
}

/** Formats a count: `38 of 300 flags`, `1 flag`. */
export function foundText(found: number, total: number): string {
  return found === total ? flagCount(total) : `${found} of ${flagCount(total)}`;
}

/** Parses the query of an address. Invalid queries show all flags. */
export function parseFlagSearch(query = ''): FlagSearch {
  const given = new URLSearchParams(query);
  const oneOf = <T extends string>(known: readonly T[], name: string, otherwise: T) =>
    known.find((each) => each === given.get(name)) ?? otherwise;
  return {
    words: given.get('q') ?? '',
    state: oneOf(STATES, 'state', ALL_FLAGS.state),
    type: oneOf(['all', ...VARIATION_TYPES], 'type', ALL_FLAGS.type),
    tags: [...new Set(given.getAll('tag'))],
    sort: oneOf(SORTS, 'sort', ALL_FLAGS.sort),
  };
}

/** Formats a query for {@link parseFlagSearch}. Empty for {@link ALL_FLAGS}. */
export function formatFlagSearch({ words, state, type, tags, sort }: FlagSearch): string {
  const query = new URLSearchParams(tags.map((tag): [string, string] => ['tag', tag]));
  if (words !== '') query.set('q', words);
  for (const [name, value] of Object.entries({ state, type, sort })) {
    if (value !== ALL_FLAGS[name as 'state' | 'type' | 'sort']) query.set(name, value);
  }
  return query.toString();
}
