/** The result of an expression for a text: match, no match, or an expression that cannot be compiled. */
type ExpressionResult = 'match' | 'no match' | 'refused';

/** An expression that FeatBit's server (.NET regular expressions) and this service (RE2) evaluate differently. */
interface ExpressionDifference {
  readonly pattern: string;
  /** A text with different results. */
  readonly text: string;
  /** A `refused` expression makes all evaluations of FeatBit's server fail. */
  readonly featBit: ExpressionResult;
  /** A `refused` expression makes its condition never match, and is reported. */
  readonly here: ExpressionResult;
  readonly why: string;
  /** Whether it is reported, because the difference is otherwise invisible. */
  readonly isWarnedOf?: true;
}

const refusedHere = { featBit: 'match', here: 'refused' } as const;
const onlyInDotNet = { featBit: 'match', here: 'no match' } as const;
const onlyInRe2 = { featBit: 'no match', here: 'match' } as const;

/** All known differences. docs/decisions/0007-evaluation-differences.md describes them. */
export const EXPRESSION_DIFFERENCES: readonly ExpressionDifference[] = [
  { ...refusedHere, pattern: '^(?!test)', text: 'a', why: 'looks ahead or behind' },
  { ...refusedHere, pattern: '(a)\\1', text: 'aa', why: 'refers back to a group' },
  { ...refusedHere, pattern: '(?>a+)b', text: 'aab', why: 'is atomic' },
  { ...refusedHere, pattern: '^(a)?(?(1)b|c)$', text: 'ab', why: 'is conditional' },
  { ...refusedHere, pattern: 'a\\Z', text: 'a\n', why: '\\Z is the end or a last newline' },
  { ...refusedHere, pattern: '(?x) a b', text: 'ab', why: 'ignores blanks' },
  { ...refusedHere, pattern: '(?n)(a)', text: 'a', why: 'captures named groups only' },
  { ...refusedHere, pattern: 'a(?#note)b', text: 'ab', why: 'has a comment' },
  { ...refusedHere, pattern: '\\e', text: '\u001b', why: '\\e is the escape character' },
  { ...refusedHere, pattern: '\\cA', text: '\u0001', why: '\\c names control characters' },
  { ...refusedHere, pattern: "(?'n'a)", text: 'a', why: 'names a group in quotes' },
  { ...refusedHere, pattern: '(?<n>a)|(?<n>b)', text: 'b', why: 'gives a name to two groups' },
  { ...refusedHere, pattern: '\\p{IsCyrillic}', text: 'ж', why: 'names a Unicode block' },
  { ...refusedHere, pattern: '^a{1001}$', text: 'a'.repeat(1001), why: 'repeats more than 1,000 times' },
  { ...refusedHere, pattern: '(?:ab){1000}'.repeat(3), text: 'ab'.repeat(3000), why: 'is too large written out' },
  {
    pattern: '(?P<y>a)',
    text: 'a',
    featBit: 'refused',
    here: 'match',
    why: "names a group as in Python, and RE2's own",
  },
  {
    pattern: '\\Qa.c\\E',
    text: 'a.c',
    featBit: 'refused',
    here: 'match',
    why: 'quotes with \\Q, which .NET does not support',
  },
  { ...onlyInDotNet, pattern: '^[a-z-[aeiou]]$', text: 'b', why: 'subtracts a class', isWarnedOf: true },
  { ...onlyInRe2, pattern: '^[[:alpha:]]$', text: 'a', why: 'names a POSIX class', isWarnedOf: true },
  { ...onlyInDotNet, pattern: '[\\ud800-\\udbff]', text: '😀', why: 'means half a character', isWarnedOf: true },
  { ...onlyInRe2, pattern: '^.$', text: '😀', why: 'counts code points, not UTF-16 units' },
  { ...onlyInDotNet, pattern: '\\s', text: '\u00a0', why: '\\s is ASCII' },
  { ...onlyInDotNet, pattern: '\\w', text: 'é', why: '\\w is ASCII' },
  { ...onlyInDotNet, pattern: '\\d', text: '٣', why: '\\d is ASCII' },
  { ...onlyInRe2, pattern: 'caf\\b', text: 'café', why: '\\b goes by \\w' },
  { ...onlyInDotNet, pattern: 'a$', text: 'a\n', why: '$ is the very end' },
];
