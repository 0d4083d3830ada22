import { readSyntax } from './expressionSyntax.ts';

/*
 * FeatBit's Java SDK matches the whole text, where the others search. An expression that takes the whole text has the same result
 * in both.
 */

const ANY = '[\\s\\S]';
/** In the syntax of every SDK: any text, also with line ends. */
const ANYTHING = `${ANY}*`;

/** Whether an expression finds a text only if it matches the whole text. */
export function matchesWholeText(pattern: string): boolean {
  const { options, hasAlternatives, isFixed } = readEnds(pattern);
  return isFixed.start && isFixed.end && !hasAlternatives && !options.includes('m');
}

/**
 * An expression that finds the same texts, and takes the whole text of each.
 *
 * @param pattern one that compiles
 * @returns the expression itself if it does that already, or if not all SDKs know its syntax
 */
export function takingWholeText(pattern: string): string {
  const { options, body, hasAlternatives, isPortable, isFixed } = readEnds(pattern);
  if (matchesWholeText(pattern) || options.includes('m') || !isPortable) return pattern;
  if (hasAlternatives) return `${options}^${ANYTHING}(?:${body})${ANYTHING}`;
  return `${options}${isFixed.start ? '' : `^${ANYTHING}`}${body}${isFixed.end ? '' : ANYTHING}`;
}

function readEnds(pattern: string) {
  const syntax = readSyntax(pattern);
  const [first, second = '', third = ''] = syntax.tokens;
  const start =
    first === '^' ? !'*+?{'.includes(second || ' ') : first === ANY && second === '*' && !'*+?{'.includes(third || ' ');
  const end = syntax.tokens.at(-1) === '$' || (syntax.tokens.at(-2) === ANY && syntax.tokens.at(-1) === '*');
  return { ...syntax, isFixed: { start, end } };
}
