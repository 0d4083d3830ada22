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
