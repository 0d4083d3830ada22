import type { Document } from '../../../shared/flags/document.ts';
import { VARIATION_TYPES, type VariationType } from '../../../shared/flags/flag.ts';
import type { VersionedDocument } from '../../api.ts';
import { flagCount } from '../../flagBatch.ts';

/** Which documents are shown: archived ones only where they are asked for. */
export const STATES = ['all', 'on', 'off', 'archived'] as const;
export type State = (typeof STATES)[number];

/** What flags are sorted by: their names, or their last change, newest first. */
export const SORTS = ['name', 'changed'] as const;
type Sort = (typeof SORTS)[number];

/** Which flags a list shows, and in what order. */
export interface FlagSearch {
  readonly words: string;
  readonly state: State;
  readonly type: VariationType | 'all';
  /** A flag must have all of them. */
  readonly tags: readonly string[];
  readonly sort: Sort;
}

/** What a list shows at first. */
export const ALL_FLAGS: FlagSearch = { words: '', state: 'all', type: 'all', tags: [], sort: 'name' };

type StoredFlag = Extract<VersionedDocument, { kind: 'flag' }>;

/** Whether a document has the words of a search and the state that is asked for. */
export function isFound(searched: Document, words: string, state: State): boolean {
  const { kind, document } = searched;
  if (document.isArchived !== (state === 'archived')) return false;
  if (kind === 'flag' && (state === 'on' || state === 'off') && document.isEnabled !== (state === 'on')) return false;
  return hasWords(searched, words);
}

/** Whether a document has every word of a search in its key, name, description or tags. */
export function hasWords({ kind, document }: Document, words: string): boolean {
  const own = kind === 'flag' ? [document.key, ...document.tags] : [document.id];
  const text = [...own, document.name, document.description].join('\n').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The flags that a search finds, in its order. */
export function findFlags(flags: readonly StoredFlag[], { words, state, type, tags, sort }: FlagSearch): StoredFlag[] {
  const found = flags.filter(
    (flag) =>
      isFound(flag, words, state) &&
      (type === 'all' || flag.document.variationType === type) &&
      tags.every((tag) => flag.document.tags.includes(tag)),
  );
  const byName = (a: StoredFlag, b: StoredFlag) => inOrder.compare(shownName(a), shownName(b));
  return found.toSorted(sort === 'name' ? byName : (a, b) => b.version - a.version);
}

/** Numbers within names by their value: `flag-2` before `flag-10`. */
const inOrder = new Intl.Collator(undefined, { numeric: true });

/** What a list calls a flag. */
export function shownName({ document: { name, key } }: StoredFlag): string {
  return name || key;
}

/** How many of how many are shown: `38 of 300 flags`, `1 flag`. */
export function foundText(found: number, total: number): string {
  return found === total ? flagCount(total) : `${found} of ${flagCount(total)}`;
}

/** Reads a search from an address's query; what cannot be read shows all. */
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

/** The query that {@link parseFlagSearch} reads; empty for {@link ALL_FLAGS}. */
export function formatFlagSearch({ words, state, type, tags, sort }: FlagSearch): string {
  const query = new URLSearchParams(tags.map((tag): [string, string] => ['tag', tag]));
  if (words !== '') query.set('q', words);
  for (const [name, value] of Object.entries({ state, type, sort })) {
    if (value !== ALL_FLAGS[name as 'state' | 'type' | 'sort']) query.set(name, value);
  }
  return query.toString();
}
