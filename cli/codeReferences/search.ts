import type { Flag } from '../../shared/flags/flag.ts';

/** Maximum number of references in a report, and of unknown keys. Further ones are counted. */
export const LISTED_REFERENCES = 10_000;

/** A line of code with a key. */
export interface Reference {
  /** From the root of the repository. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The references of a flag: the number of lines with its key, and those that are listed. */
interface FlagReferences {
  readonly key: string;
  readonly isArchived: boolean;
  count: number;
  readonly references: Reference[];
}

/** The references that a search found. */
export type ReferenceReport = ReturnType<ReferenceSearch['report']>;

/** Characters of a key. */
const TOKENS = /[\w.-]+/g;

/**
 * Searches lines of code for keys of flags. A key counts wherever it occurs between other characters than letters, digits,
 * `_` and `-`. The time does not depend on the number of flags.
 */
export class ReferenceSearch {
  readonly #flags: ReadonlyMap<string, FlagReferences>;
  readonly #unknown: (Reference & { readonly key: string })[] = [];
  #listed = 0;
  #unlisted = 0;
  /** The file of the last line, and the start of a call at its end. */
  #file = '';
  #start = '';

  /** @param flags without deleted ones */
  constructor(flags: readonly Flag[]) {
    const sorted = flags.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    this.#flags = new Map(sorted.map(({ key, isArchived }) => [key, { key, isArchived, count: 0, references: [] }]));
  }

  /** Searches the next line. The lines of a file must follow each other. */
  search(file: string, line: number, text: string): void {
    const found = new Set<string>();
    for (const [token] of text.matchAll(TOKENS)) for (const key of this.#keysIn(token)) found.add(key);
    for (const key of found) {
      const flag = this.#flags.get(key);
      if (!flag) continue;
      flag.count++;
      if (this.#listed++ < LISTED_REFERENCES) flag.references.push({ file, line });
      else this.#unlisted++;
    }
    const code = (file === this.#file ? this.#start : '') + text;
    for (const { groups } of code.matchAll(CALL_WITH_KEY)) {
      const key = groups?.['key'] ?? '';
      if (this.#flags.has(key)) continue;
      if (this.#unknown.length < LISTED_REFERENCES) this.#unknown.push({ key, file, line });
      else this.#unlisted++;
    }
    this.#file = file;
    this.#start = CALL_START.exec(code.trimEnd())?.[0] ?? '';
  }

  /** All flags ordered by key, calls of SDKs with keys that no flag has, and the number of references that are counted, and not listed. */
  report() {
    return { flags: [...this.#flags.values()], unknown: this.#unknown, unlisted: this.#unlisted };
  }

  /** The keys in a word, the longest first: `a.b` contains the key `a` only if `a.b` is no key. */
  #keysIn(token: string): string[] {
    if (this.#flags.has(token)) return [token];
    if (!token.includes('.')) return [];
    const parts = token.split('.');
    const keys: string[] = [];
    for (let from = 0; from < parts.length; ) {
      let to = Math.min(parts.length, from + KEY_PARTS);
      while (to > from && !this.#flags.has(parts.slice(from, to).join('.'))) to--;
      if (to > from) keys.push(parts.slice(from, to).join('.'));
      from = Math.max(to, from + 1);
    }
    return keys;
  }
}

/** Maximum number of parts between dots that are searched as one key. */
const KEY_PARTS = 16;

/** Methods of FeatBit's SDKs whose first argument is the key: `boolVariation` (Node, browser, Java), `BoolVariation` (Go, .NET), `variation_detail` (Python). */
const FEATBIT =
  '(?:[bB]ool|[sS]tring|[nN]umber|[iI]nt|[lL]ong|[fF]loat|[dD]ouble|[jJ]son)?[vV]ariation(?:Detail|_detail)?';

/** Methods of OpenFeature's SDKs whose first argument is the key. */
const OPEN_FEATURE = [
  // JavaScript, Java, .NET
  '[gG]et(?:Boolean|String|Number|Integer|Double|Object)(?:Value|Details)(?:Async)?',
  // Python, Rust
  'get_(?:boolean|bool|string|integer|int|float|object|struct)_(?:value|details)(?:_async)?',
  // React
  'use(?:Suspense)?(?:Boolean|String|Number|Object)?Flag(?:Value|Details)?',
];

/** Methods of OpenFeature's SDK for Go. The key follows the context. */
const OPEN_FEATURE_GO = '(?:Boolean|String|Float|Int|Object)Value(?:Details)?';

/** A context in Go: `ctx`, `r.Context()`, `context.Background()`. */
const GO_CONTEXT = '[\\w.]{1,100}(?:\\(\\))?\\s{0,100},';

/** A call up to its key. The key can have a name: `key:`, `flag_key=`. */
const CALL = [
  `(?:${[FEATBIT, ...OPEN_FEATURE].join('|')})(?:<[^<>()]{0,100}>)?\\(\\s{0,100}(?:(?:key|flagKey|flag_key)\\s?[:=]\\s?)?`,
  `${OPEN_FEATURE_GO}\\(\\s{0,100}${GO_CONTEXT}\\s{0,100}`,
];
const START = `(?<![\\w$])(?:${CALL.join('|')})`;

/** A call of an SDK with a constant key. */
export const CALL_WITH_KEY = new RegExp(`${START}(["'\`])(?<key>[\\w.-]{1,128})\\1`, 'g');

/** The start of a call of an SDK at the end of a line. Its key is in the next line. */
export const CALL_START = new RegExp(`(?<![\\w$])(?:${CALL.join('|')}|${OPEN_FEATURE_GO}\\(\\s{0,100})$`);
