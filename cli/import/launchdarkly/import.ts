import { roundNumber } from '../../../shared/flags/exactJson.ts';
import {
  type Alternatives,
  allOf,
  anyOf,
  expressionCondition,
  inSegment,
  isOneOf,
  isSet,
  NEVER,
  numberOperators,
  propertyOf,
  textCondition,
  textOperators,
} from '../translation/conditions.ts';
import {
  kindsWithPart,
  kindsWrittenAs,
  NO_TEXTS,
  type Note,
  noteValues,
  TEXTS,
  type ValueKind,
} from '../translation/differences.ts';
import {
  everybody,
  rulesOf,
  rulesOfRest,
  type ServedSplit as ServedUsers,
  servedAlike,
  servedBy,
  trafficSplit,
} from '../translation/trafficSplit.ts';
import { type FlagContent, type Translation, Translator } from '../translation/translator.ts';
import { comparedText, isRounded, textIn, textOf, typeOf, Untranslatable } from '../translation/values.ts';
import { type Clause, type Flag, readEnvironment, readFlag, readSegment, type Serving } from './format.ts';

/**
 * Reads an environment of LaunchDarkly. Each flag has the value of LaunchDarkly's SDKs for the same user, or a listed
 * difference.
 *
 * @throws {WrongForm} for any other file
 */
export function importFromLaunchDarkly(file: unknown, sourceEnv?: string): Translation {
  const { flags, segments } = readEnvironment(file, sourceEnv);
  const translator = new Translator();
  const segmentOf = (key: string) => {
    translator.requireSegment(segmentId(key), key);
    return segmentId(key);
  };
  for (const [key, segment] of segments) {
    translator.segment(segmentId(key), key, (note) => {
      const { included, excluded, rules } = readSegment(segment);
      return {
        name: textIn(segment, 'name') || key,
        included,
        // In LaunchDarkly, a user in both lists is a member. Here, exclusion takes precedence.
        excluded: excluded.filter((user) => !included.includes(user)),
        alternatives: rules.flatMap((clauses) => allOf(clauses.map((clause) => readClause(clause, nested, note)))),
      };
    });
  }
  for (const [key, flag] of flags) {
    translator.flag(key, (note) => translate(readFlag(flag), segmentOf, note));
  }
  return translator;
}

const segmentId = (key: string) => `launchdarkly-${key}`;

function nested(): never {
  throw new Untranslatable('a segment that refers to other segments');
}

function translate(flag: Flag, segmentOf: (key: string) => string, note: Note): FlagContent {
  const { variations, offVariation, isOn } = flag;
  const idOf = (index: number) => {
    if (!variations[index]) throw new Untranslatable(`the variation ${index}, which does not exist`);
    return `variation-${index + 1}`;
  };
  if (offVariation === undefined && !isOn)
    throw new Untranslatable('a flag that is off and has no off variation; SDKs return the default in your code');
  const fallthrough = servedOf(flag.fallthrough, idOf, note);
  if (offVariation === undefined) note({ cause: 'offVariation' });
  return {
    name: flag.name || undefined,
    description: flag.description,
    tags: flag.tags,
    variationType: typeOf(variations.map(({ value }) => value)),
    variations: variations.map(({ name, value }, n) => ({ id: idOf(n), name: name || idOf(n), value: textOf(value) })),
    targetUsers: flag.targets.map(({ values, variation }) => ({ keyIds: values, variationId: idOf(variation) })),
    rules: [
      ...flag.rules.flatMap((rule) => {
        const alternatives = allOf(rule.clauses.map((clause) => readClause(clause, segmentOf, note)));
        return rulesOf(alternatives, servedOf(rule, idOf, note));
      }),
      ...rulesOfRest(fallthrough),
    ],
    isEnabled: isOn,
    disabledVariationId: offVariation === undefined ? '' : idOf(offVariation),
    fallthrough: fallthrough.split,
  };
}

/**
 * Weights for a rollout. The last variation gets what the weights leave out. Contexts without the attribute have bucket
 * 0.
 */
function servedOf({ variation, rollout }: Serving, idOf: (index: number) => string, note: Note): ServedUsers {
  if (variation !== undefined) return servedAlike(everybody(idOf(variation)));
  const weights = rollout?.weights ?? [];
  const last = weights.at(-1);
  if (!rollout || !last) throw new Untranslatable('a rule or fallthrough without a variation');
  const rest = 100_000 - weights.reduce((sum, { weight }) => sum + weight, 0);
  if (rest < 0 || weights.some(({ weight }) => weight < 0))
    throw new Untranslatable('weights that are negative or add up to more than 100,000');
  const property = attributeProperty(rollout.bucketBy);
  const shares = weights.map(({ variation: index, weight }): [string, number] => [idOf(index), weight]);
  const split = trafficSplit(property === 'keyId' ? null : property, [...shares, [idOf(last.variation), rest]]);
  const first = weights.find(({ weight }) => weight > 0) ?? last;
  const served = servedBy(split, idOf(first.variation));
  // Only text and whole numbers have a bucket.
  if (served.lacking !== undefined) noteValues(note, property, ['empty', 'fraction', 'boolean', 'list', 'object']);
  return served;
}

const TEXT = textOperators('startsWith', 'endsWith', 'contains');

const NUMBERS = numberOperators('greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual');

/** The name of a user's attribute in conditions. @throws {Untranslatable} for a name that is reserved here */
function attributeProperty(attribute: string): string {
  if (attribute === 'kind' || attribute === 'anonymous') throw new Untranslatable(`the attribute ${attribute}`);
  return propertyOf(attribute, 'key');
}

/**
 * Translates a clause into alternatives. A missing attribute never matches, even if the clause is negated.
 *
 * @param segmentOf returns the id of an imported segment
 * @throws {Untranslatable} for conditions on versions or dates, and for unknown operators
 */
function readClause(
  { attribute, op, values, negate }: Clause,
  segmentOf: (key: string) => string,
  note: Note,
): Alternatives {
  if (op === 'segmentMatch')
    return [
      [
        inSegment(
          values.map((value) => segmentOf(textOf(value))),
          negate,
        ),
      ],
    ];
  const property = attributeProperty(attribute);
  const alternatives = readValues(property, op, values, negate, note);
  const differing = differingValues(op, values, negate);
  // A context whose key or name is not text is invalid.
  noteValues(note, property, property === 'name' ? differing.filter((kind) => !NO_TEXTS.includes(kind)) : differing);
  return negate ? allOf([[[isSet(property)]], alternatives]) : alternatives;
}

function readValues(
  property: string,
  op: string,
  values: readonly unknown[],
  negate: boolean,
  note: Note,
): Alternatives {
  if (values.some((value) => value === '')) throw new Untranslatable(`${op} with an empty value`);
  if (op === 'in') {
    if (values.some((value) => typeof roundNumber(value) === 'object'))
      throw new Untranslatable('in with a value that is not a string');
    return values.length === 0 && !negate ? NEVER : [[isOneOf(property, values.map(comparedText), negate)]];
  }
  // A value of another type than the operator's never matches.
  const texts = values.filter((value) => typeof value === 'string');
  const text = TEXT.get(op);
  if (text) return textCondition(property, text, texts, { isNegated: negate });
  const together = negate ? allOf : anyOf;
  if (op === 'matches') return together(texts.map((value) => expressionCondition(property, value, negate, note)));
  const ops = NUMBERS.get(op);
  if (!ops) throw new Untranslatable(`the operator ${op}`);
  const bounds = values.filter((value) => typeof roundNumber(value) === 'number');
  return together(bounds.map((bound) => [[{ property, op: ops[negate ? 1 : 0], value: comparedText(bound) }]]));
}

/**
 * The values for which a clause has another result in LaunchDarkly, which distinguishes text, numbers, lists and empty
 * text.
 */
function differingValues(op: string, values: readonly unknown[], negate: boolean): readonly ValueKind[] {
  const texts = values.filter((value) => typeof value === 'string');
  const has = (type: string) => values.some((value) => typeof roundNumber(value) === type);
  const whenNegated = (...kinds: readonly ValueKind[]) => (negate ? kinds : []);
  if (op === 'in') {
    const numbers: readonly ValueKind[] = has('number') ? ['number text'] : [];
    const others: readonly ValueKind[] = has('boolean') ? ['other text'] : [];
    const neighbours: readonly ValueKind[] = values.some(isRounded) ? ['whole number', 'fraction'] : [];
    const list: readonly ValueKind[] = values.length > 0 ? ['list'] : [];
    return [...list, ...kindsWrittenAs(texts), ...numbers, ...neighbours, ...others, ...whenNegated('empty')];
  }
  if (NUMBERS.has(op)) {
    const others: readonly ValueKind[] = has('number') ? [...TEXTS, 'list', ...whenNegated('boolean', 'object')] : [];
    return [...others, ...whenNegated('empty')];
  }
  const others: readonly ValueKind[] =
    texts.length > 0 ? ['list', ...kindsWithPart(TEXT.get(op) ?? 'MatchRegex', texts)] : [];
  return [...others, ...whenNegated('empty')];
}
