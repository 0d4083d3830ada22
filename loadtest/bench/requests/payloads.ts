/** Flags whose expressions cost most: what they search grows with the text of the attribute `text`. */
export const PATTERNS = ['a[ab]{300}c', '(a|b)*a(a|b){100}c$', 'a.{1000}c', '(a|ab|b|ba){200}c'];

/** JSON of so many bytes for a field of a user. */
type MakeValue = (bytes: number) => string;

const brackets = (open: string, close: string, bytes: number) => {
  const levels = Math.floor(bytes / (open.length + close.length));
  return `${open.repeat(levels)}0${close.repeat(levels)}`;
};
const repeated = (begin: string, each: (n: number) => string, end: string, bytes: number) => {
  const parts: string[] = [];
  for (let length = 0; length < bytes; length += (parts.at(-1)?.length ?? 0) + 1) parts.push(each(parts.length));
  return `${begin}${parts.join()}${end}`;
};
/** Letters that keep an expression busy: neither found early nor ruled out. */
const letters = (bytes: number) => {
  let seed = bytes;
  const letter = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed & 0x10000 ? 'a' : 'b';
  };
  return `"${Array.from({ length: bytes }, letter).join('')}c"`;
};

/** What a value may be that costs a server most. */
export const FILLINGS: Readonly<Record<string, MakeValue>> = {
  'nested arrays': (bytes) => brackets('[', ']', bytes),
  'nested objects': (bytes) => brackets('{"a":', '}', bytes),
  'as deep as is taken': (bytes) => repeated('[', () => brackets('[', ']', 3_900), ']', bytes),
  'empty arrays': (bytes) => repeated('[', () => '[]', ']', bytes),
  'many fields': (bytes) => repeated('{', (n) => `"field${n}":${n}`, '}', bytes),
  'long text': (bytes) => `"${'x'.repeat(bytes)}"`,
  'escaped text': (bytes) => `"${'\\u00e9\\"'.repeat(bytes / 8)}"`,
  digits: (bytes) => `"${'1,'.repeat(bytes / 2)}x"`,
  number: (bytes) => `"${'1'.repeat(bytes)}"`,
  blanks: (bytes) => `"${' '.repeat(bytes)}x"`,
  'letters of the patterns': letters,
};

/** A user whose key id, attribute, or field that nobody knows is a filling. */
const users: readonly ((filling: string) => string)[] = [
  (filling) => `{"keyId":"u","customizedProperties":[{"name":"text","value":${filling}}]}`,
  (filling) => `{"keyId":${filling}}`,
  (filling) => `{"keyId":"u","more":${filling}}`,
];

/** Bodies of each endpoint with a filling, one for each place that it may have. */
export const ENDPOINTS: Readonly<Record<string, (filling: string) => string[]>> = {
  '/api/public/sdk/client/latest-all': (filling) => users.map((user) => user(filling)),
  '/api/public/featureflag/evaluate': (filling) => [
    ...users.map((user) => `{"user":${user(filling)}}`),
    `{"user":{"keyId":"u"},"filter":{"keys":${filling}}}`,
  ],
  '/api/public/insight/track': (filling) => [
    ...users.map((user) => `[{"user":${user(filling)}}]`),
    `[{"user":{"keyId":"u"},"variations":${filling}}]`,
    `[{"user":{"keyId":"u"},"metrics":[{"eventName":"e","numericValue":${filling}}]}]`,
    filling,
  ],
  '/ofrep/v1/evaluate/flags': (filling) => [
    `{"context":{"targetingKey":"u","text":${filling}}}`,
    `{"context":{"targetingKey":${filling}}}`,
    `{"context":${filling}}`,
  ],
};

/** Messages of a WebSocket. */
export const messages = (filling: string): string[] =>
  users.map((user) => `{"messageType":"data-sync","data":{"timestamp":0,"user":${user(filling)}}}`);
