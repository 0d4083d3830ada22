import { OPERATOR_NAMES, parseList } from '../evaluation/compileOperator.ts';
import { segmentIdsOf } from '../evaluation/condition.ts';
import { InvalidSyntax } from '../flags/invalidInput.ts';
import { type Condition, IN_SEGMENT, isSegmentCondition, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { neverMatches } from './neverMatches.ts';

/** The CLI's symbols for FeatBit's operators. FeatBit's names are accepted too. */
const WORDS: readonly (readonly [written: string, operator: string])[] = [
  ['!=', 'NotEqual'],
  ['<=', 'LessEqualThan'],
  ['>=', 'BiggerEqualThan'],
  ['=', 'Equal'],
  ['<', 'LessThan'],
  ['>', 'BiggerThan'],
  ['not contains', 'NotContain'],
  ['contains', 'Contains'],
  ['starts-with', 'StartsWith'],
  ['ends-with', 'EndsWith'],
  ['not matches', 'NotMatchRegex'],
  ['matches', 'MatchRegex'],
  ['not in', 'NotOneOf'],
  ['in', 'IsOneOf'],
  ['is true', 'IsTrue'],
  ['is false', 'IsFalse'],
];

/** The operators of a condition, for help and messages. */
export const OPERATOR_WORDS: readonly string[] = WORDS.map(([written]) => written);

const ATTRIBUTE = /^("(?:[^"\\]|\\.)*"|[^\s"=!<>]+)\s*/su;
const ABOUT_SEGMENTS = /^(?:user\s+(?:is\s+)?)?(not\s+)?in\s+segment\s+(?=\S)/i;
const LIST_ITEM = /^("(?:[^"\\]|\\.)*"|[^,"][^,]*)/su;
/** Words that start another kind of condition. */
const NEEDS_QUOTES = /^(user|in|not)$/i;

/** A symbol between blanks, or a leading `=`. */
const STRAY = /(?<!\S)(?:(?:!=|[=<>])={0,2}|<>|&&|\|\|)(?!\S)|^=/u;
const JOINT = /&&|\|\||(?<=\s)(?:and|or)(?=\s)/gi;

const SYMBOLS = [['==', 'Equal'] as const, ...WORDS.filter(([written]) => /^\W/.test(written))];
const SPELLED = new Map(
  [...WORDS, ...OPERATOR_NAMES.map((name) => [name, name] as const)].map(([w, op]) => [plain(w), op]),
);

/**
 * Parses a condition from text: `plan=pro`, `age > 18`, `email ends-with @acme.com`, `country in CN,US`, `in segment
 * beta`. Attributes, values and list items that contain blanks, commas or quotes at their ends are JSON strings.
 *
 * @param segmentId returns the id of a named segment
 * @throws {InvalidSyntax} for invalid text, and for a condition that could never match
 */
export function parseCondition(text: string, segmentId: (named: string) => string = (named) => named): Condition {
  const source = text.trim();
  const [beginning, not] = ABOUT_SEGMENTS.exec(source) ?? [];
  if (beginning !== undefined) {
    const ids = readItems(source.slice(beginning.length), text).map(segmentId);
    return checked({ property: not === undefined ? IN_SEGMENT : NOT_IN_SEGMENT, op: null, value: JSON.stringify(ids) });
  }
  const [whole, attribute] = ATTRIBUTE.exec(source) ?? [];
  if (whole === undefined || attribute === undefined) throw unreadable(text);
  const property = unquoted(attribute, text);
  if (property === '' || isSegmentCondition({ property })) throw unreadable(text);
  const rest = source.slice(whole.length);
  requireOperator(rest, text);
  const operator = operatorAt(rest);
  if (!operator) throw unreadable(text);
  const { op, length } = operator;
  return checked({ property, op, value: readValue(op, rest.slice(length).trim(), text) });
}

/** Refuses characters that look like an operator and are none, such as `=>`. */
function requireOperator(text: string, whole: string): void {
  const [written = ''] = /^[=!<>]+~?/.exec(text) ?? [];
  if (written === '' || SYMBOLS.some(([symbol]) => symbol === written)) return;
  const isUnequal = written.includes('!') || (written.includes('<') && written.includes('>'));
  const symbol = isUnequal ? '!=' : `${/[<>]/.exec(written)?.[0] ?? ''}${written.includes('=') ? '=' : ''}`;
  const meant = !written.endsWith('~') ? symbol : isUnequal ? 'not matches' : 'matches';
  throw new InvalidSyntax(
    `"${whole}" cannot be read: "${written}" is not an operator. Write ${meant}, or a space before a value that starts with ${written.slice(-1)}`,
  );
}

/** The operator that a text starts with, of one word or two, and its length. */
function operatorAt(text: string): { op: string; length: number } | undefined {
  const symbol = SYMBOLS.find(([written]) => text.startsWith(written));
  if (symbol) return { op: symbol[1], length: symbol[0].length };
  const [both = '', first = '', second = ''] = /^(\S+)(?:\s+(\S+))?/.exec(text) ?? [];
  const [one, two] = [SPELLED.get(plain(first)), SPELLED.get(plain(`${first} ${second}`))];
  if (one) return { op: one, length: first.length };
  return two ? { op: two, length: both.length } : undefined;
}

function plain(word: string): string {
  return word.replaceAll('-', ' ').toLowerCase();
}

/**
 * Formats a condition for {@link parseCondition}. One that could never match has the same form.
 *
 * @param segmentName returns the display name of a segment id
 */
export function formatCondition(condition: Condition, segmentName: (id: string) => string = (id) => id): string {
  const { property, op, value } = condition;
  if (isSegmentCondition(condition)) {
    const names = segmentIdsOf(condition).map((id) => formatItem(segmentName(id)));
    return `${property === IN_SEGMENT ? '' : 'not '}in segment ${names.join(', ') || '[]'}`;
  }
  const isPlain = /^[^\s"=!<>]+$/u.test(property) && !NEEDS_QUOTES.test(property);
  return `${isPlain ? property : JSON.stringify(property)} ${formatOperator(op)} ${formatValue(op, value)}`.trimEnd();
}

/** Formats an operator for {@link parseCondition}. */
export function formatOperator(op: string | null): string {
  return WORDS.find(([, operator]) => operator === op)?.[0] ?? op ?? '?';
}

function readValue(op: string, text: string, whole: string): string {
  if (op === 'IsTrue' || op === 'IsFalse') {
    if (text === '') return '';
    throw new InvalidSyntax(`"${whole}" cannot be read: "is true" and "is false" have no value`);
  }
  if (text === '') throw new InvalidSyntax(`"${whole}" has no value; write "" for the empty text`);
  if (op === 'IsOneOf' || op === 'NotOneOf') return JSON.stringify(readItems(text, whole));
  return unquoted(text, whole);
}

function readItems(text: string, whole: string): string[] {
  if (text.startsWith('[')) {
    try {
      return parseList(text) ?? [];
    } catch (error) {
      throw new InvalidSyntax(`"${whole}" cannot be read: its list ${(error as Error).message}`);
    }
  }
  const items: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [item = ''] = LIST_ITEM.exec(rest) ?? [];
    const after = rest.slice(item.length).trimStart();
    if (item === '' || (after !== '' && !after.startsWith(','))) {
      throw new InvalidSyntax(`"${whole}" cannot be read: separate the values by commas, as in CN,US`);
    }
    items.push(unquoted(item.trim(), whole));
    rest = after.slice(1).trimStart();
  }
  return items;
}

function unquoted(text: string, whole: string): string {
  if (!text.startsWith('"')) {
    const place = strayPart(text);
    if (place === undefined) return text;
    throw new InvalidSyntax(
      `"${whole}" cannot be read at ${JSON.stringify(place)}: write one condition at a time, and such text in double quotes`,
    );
  }
  try {
    return JSON.parse(text) as string;
  } catch {
    throw new InvalidSyntax(
      `"${whole}" cannot be read: ${text} is not a JSON string; within quotes write \\" and \\\\`,
    );
  }
}

/** The rest of a text from where it looks like an operator, another condition, or an open quote. */
function strayPart(text: string): string | undefined {
  if (text.length > 1 && text.startsWith("'") && text.endsWith("'")) return text;
  const joint = [...text.matchAll(JOINT)].find((match) =>
    isCondition(text.slice(match.index + match[0].length).trim()),
  );
  const starts = [STRAY.exec(text)?.index, joint?.index].filter((index) => index !== undefined);
  if (starts.length === 0) return text.split('"').length % 2 === 0 ? text.slice(text.lastIndexOf('"')) : undefined;
  return text.slice(Math.min(...starts));
}

/** Whether a text starts as a condition does. */
function isCondition(text: string): boolean {
  const [whole] = ATTRIBUTE.exec(text) ?? [];
  return ABOUT_SEGMENTS.test(text) || (whole !== undefined && operatorAt(text.slice(whole.length)) !== undefined);
}

/** Refuses a condition that could never match. */
function checked(condition: Condition): Condition {
  const reason = neverMatches(condition);
  if (reason === undefined) return condition;
  throw new InvalidSyntax(`"${formatCondition(condition)}" would never match: ${reason}`);
}

/** Formats a condition's value for {@link parseCondition}. Empty if the operator takes no value. */
export function formatValue(op: string | null, value: string | null): string {
  if (op === 'IsTrue' || op === 'IsFalse') return '';
  if (value === null) return 'null';
  if (op !== 'IsOneOf' && op !== 'NotOneOf') return isPlainText(value) ? value : JSON.stringify(value);
  try {
    return parseList(value)?.map(formatItem).join(',') || '[]';
  } catch {
    return value;
  }
}

function formatItem(item: string): string {
  return isPlainText(item) && !item.includes(',') && !item.startsWith('[') ? item : JSON.stringify(item);
}

function isPlainText(text: string): boolean {
  if (text === '' || text !== text.trim() || text.startsWith('"') || /\p{Cc}/u.test(text)) return false;
  return strayPart(text) === undefined;
}

function unreadable(text: string): InvalidSyntax {
  return new InvalidSyntax(
    `"${text}" is not a condition; write an attribute, one of ${OPERATOR_WORDS.join('  ')}, and a value, such as ` +
      `'plan = pro' or 'country in CN,US', or 'in segment <name>'`,
  );
}
