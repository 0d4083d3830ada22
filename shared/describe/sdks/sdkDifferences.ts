import { parseList, UncompilableCondition } from '../../evaluation/compileOperator.ts';
import type { Document } from '../../flags/document.ts';
import { type Condition, isSegmentCondition } from '../../flags/rule.ts';
import { isBlank } from '../../flags/user.ts';
import { formatCondition } from '../conditionText.ts';
import type { ConditionAnswer, Explanation, RuleAnswer } from '../explain.ts';
import { readSyntax } from './expressionSyntax.ts';
import { compareWithSdk, isComparison, isExpression, readNumber, SDKS, type SdkName } from './sdkConditions.ts';
import { matchesWholeText } from './wholeText.ts';

/** What an SDK does differently. */
type Difference = readonly [sdk: SdkName, how: string];

/**
 * How server-side SDKs evaluate a condition differently for some users, in words: `in Java, the whole text must match`. Undefined
 * if all agree, or differ only if the attribute is missing and the condition is not on empty text.
 */
function sdkDifferences(condition: Condition): string | undefined {
  const { op, value } = condition;
  if (isSegmentCondition(condition) || value === null) return undefined;
  const found: Difference[] = [];
  if (isExpression(op)) {
    found.push(['Node', SWAPPED]);
    if (!matchesWholeText(value)) found.push(['Java', WHOLE]);
    if (!readSyntax(value).isPortable) for (const sdk of ['Python', 'Java', 'Rust'] as const) found.push([sdk, SYNTAX]);
  } else if (isComparison(op)) {
    const differing = SDKS.filter((sdk) => !isSame(readNumber(sdk, value), readNumber(undefined, value)));
    for (const sdk of differing) found.push([sdk, numberText(sdk, value)]);
    if (!differing.includes('Java')) found.push(['Java', 'only digits are a number, without a sign or a fraction']);
  } else if (isOnEmptyText(condition)) {
    for (const sdk of ['Node', 'Python', 'Go', 'Java'] as const) found.push([sdk, MISSING]);
  }
  return differencesText(found);
}

/** The {@link sdkDifferences} of a document's conditions, each once. @param before its stored version, whose own are left out */
export function addedSdkDifferences(before: Document | undefined, after: Document): string[] {
  const conditionsOf = (document?: Document) =>
    document?.document.rules.flatMap((rule): readonly Condition[] => rule.conditions) ?? [];
  const textOf = ({ property, op, value }: Condition) => JSON.stringify([property, op, value]);
  const known = new Set(conditionsOf(before).map(textOf));
  const added = conditionsOf(after).filter((condition) => !known.has(textOf(condition)));
  return [...new Set(added.flatMap((condition) => sdkDifferences(condition) ?? []))];
}

/** The differences of server-side SDKs in the evaluation of a flag for a user, one line for each condition. */
export function sdkDifferenceLines({ rules }: Explanation): string[] {
  return [...new Set(rules.flatMap(linesOfRule))];
}

function linesOfRule({ conditions }: RuleAnswer): string[] {
  return conditions.flatMap((answer) => [
    ...(lineOf(answer) ?? []),
    ...(answer.segments ?? []).flatMap(({ rules }) => rules.flatMap(linesOfRule)),
  ]);
}

function lineOf({ condition, text }: ConditionAnswer): string[] | undefined {
  const { property, op, value } = condition;
  // Each SDK decides by itself what the name of a user without one is.
  if (isSegmentCondition(condition) || op === null || value === null || isBlank(property)) return undefined;
  if (property === 'name' && typeof text !== 'string') return undefined;
  const found: Difference[] = [];
  for (const sdk of SDKS) {
    const { own, answer } = compareWithSdk(sdk, op, value, text ?? null);
    if (answer === own) continue;
    const effect =
      answer === 'no value' ? 'the flag has no value' : answer === 'unknown' ? '' : answer ? MATCHES : FAILS;
    found.push([sdk, [reasonOf(sdk, { ...condition, op, value }, text ?? null), effect].filter(Boolean).join(': ')]);
  }
  const differences = differencesText(found);
  return differences === undefined ? undefined : [`${formatCondition(condition, (id) => id)}: ${differences}`];
}

const MATCHES = 'it matches';
const FAILS = 'it does not match';
const SWAPPED = 'text and pattern are swapped';
const WHOLE = 'the whole text must match';
const SYNTAX = 'the expression may have another meaning';
const MISSING = 'a missing attribute is not empty text';

/** Why an SDK gives another answer. */
function reasonOf(sdk: SdkName, { op, value }: { op: string; value: string }, text: string | null): string {
  if (op === 'IsTrue' || op === 'IsFalse') return `${JSON.stringify(text)} is another word`;
  if (sdk === 'Go' && (!text || value === '')) return 'empty text is like none';
  if (text === null) return sdk === 'Node' && !/Equal|One/.test(op) ? 'a missing attribute fails' : MISSING;
  if (isExpression(op))
    return sdk === 'Node' ? SWAPPED : sdk === 'Java' && readSyntax(value).isPortable ? WHOLE : SYNTAX;
  if (!isComparison(op)) return 'the list may be read differently';
  const read = [text, value].find((each) => !isSame(readNumber(sdk, each), readNumber(undefined, each)));
  return read === undefined ? 'infinite numbers are not equal' : numberText(sdk, read);
}

function numberText(sdk: SdkName, text: string): string {
  const number = readNumber(sdk, text);
  return `${JSON.stringify(text)} is ${Number.isNaN(number) ? 'no number' : number}`;
}

const isSame = Object.is;

function isOnEmptyText({ op, value }: Condition): boolean {
  if (op === 'Equal' || op === 'NotEqual') return value === '';
  try {
    return (op === 'IsOneOf' || op === 'NotOneOf') && parseList(value ?? '')?.includes('') === true;
  } catch (error) {
    if (error instanceof UncompilableCondition) return false;
    throw error;
  }
}

/** What SDKs do differently: `in Node and Go, it matches`. */
function differencesText(found: readonly Difference[]): string | undefined {
  const ways = [...new Set(found.map(([, how]) => how))];
  const sdksOf = (way: string) => found.flatMap(([sdk, how]) => (how === way ? [sdk] : []));
  return ways.map((way) => `in ${listOf(sdksOf(way))}, ${way}`).join('; ') || undefined;
}

const listOf = (names: readonly string[]) => names.join(', ').replace(/, (?=[^,]+$)/, ' and ');
