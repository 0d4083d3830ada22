import { parseExactJson } from '../../../shared/flags/exactJson.ts';
import { isJsonObject } from '../../../shared/flags/reader.ts';
import { ConditionReader } from '../flagd/conditions.ts';
import {
  ALWAYS,
  type Alternatives,
  allOf,
  anyOf,
  equalNumber,
  isNotSet,
  isOneOf,
  isSet,
  numberOperators,
  presence,
  propertyOf,
  textCondition,
  textOperators,
} from '../translation/conditions.ts';
import {
  ABSENT,
  kindsWithPart,
  kindsWrittenAs,
  NO_TEXTS,
  type Note,
  noteValues,
  TEXTS,
} from '../translation/differences.ts';
import { numberText, Untranslatable } from '../translation/values.ts';
import { type Literal, parseQuery, type Query } from './query.ts';

const TEXT_OPERATORS = textOperators('sw', 'ew', 'co');
const NUMBERS = numberOperators('gt', 'ge', 'lt', 'le');

/** The operators of JsonLogic that both GO Feature Flag and flagd have. */
const LOGIC = new Set(['var', 'and', 'or', '!', 'in', '==', '===', '!=', '!==', '<', '<=', '>', '>=']);

/** An attribute that is false for users without it. */
const ANONYMOUS = 'anonymous';

/**
 * The alternatives in which the query of a rule matches. An empty query, which only a scheduled rule may have, matches
 * everybody.
 *
 * @throws {Untranslatable} if it is not supported
 */
export function readQuery(query: string | undefined, note: Note): Alternatives {
  const text = query?.trim() ?? '';
  if (/^[ \n]*$/.test(query ?? '')) return ALWAYS;
  // Queries in JsonLogic are evaluated by the library of flagd.
  if (text.startsWith('{')) {
    const alternatives = new ConditionReader({}, note).read(asLogic(parseLogic(text)));
    // The libraries compare other types, and missing values, in their own ways.
    for (const { property } of alternatives.flat())
      noteValues(note, property, [...ABSENT, 'empty', 'number text', ...NO_TEXTS]);
    return alternatives;
  }
  return translate(parseQuery(text), false, note);
}

function parseLogic(text: string): unknown {
  try {
    const logic = parseExactJson(text);
    if (isJsonObject(logic)) return logic;
  } catch {
    // The same error as for other JSON.
  }
  throw new Untranslatable(`the query ${text.slice(0, 80)}`);
}

/** JsonLogic with the attributes of flagd. @throws {Untranslatable} for operators that only flagd has, and for `anonymous` */
function asLogic(logic: unknown): unknown {
  if (Array.isArray(logic)) return logic.map(asLogic);
  if (!isJsonObject(logic)) return logic;
  return Object.fromEntries(
    Object.entries(logic).map(([op, args]) => {
      if (!LOGIC.has(op)) throw new Untranslatable(`the operator ${op} in JsonLogic`);
      if (op !== 'var') return [op, asLogic(args)];
      if (args === ANONYMOUS) throw anonymousAs();
      return [op, args === 'key' ? 'targetingKey' : args];
    }),
  );
}

/** The attribute of a name. @throws {Untranslatable} for a reserved name, and for members of objects */
export function attributeOf(name: string): string {
  if (name.includes('.')) throw new Untranslatable(`"${name}", a member of an attribute`);
  return name === 'key' ? 'keyId' : propertyOf(name, 'targetingKey');
}

function translate(query: Query, isNegated: boolean, note: Note): Alternatives {
  switch (query.kind) {
    case 'not':
      return translate(query.part, !isNegated, note);
    case 'and':
    case 'or': {
      const parts = query.parts.map((part) => translate(part, isNegated, note));
      return (query.kind === 'and') === isNegated ? anyOf(parts) : allOf(parts);
    }
    case 'present': {
      const property = attributeOf(query.attribute);
      if (property === ANONYMOUS) throw anonymousAs();
      return presence(property, !isNegated, note);
    }
    default:
      return compare(attributeOf(query.attribute), query.op, query.literal, isNegated, note);
  }
}

/** The error for a condition that no user meets. */
function anonymousAs(): Untranslatable {
  return new Untranslatable(`"${ANONYMOUS}", which is true or false, with another value`);
}

/** A comparison never matches another type of value, or a missing one. Its negation matches both. */
function compare(property: string, op: string, literal: Literal, isNegated: boolean, note: Note): Alternatives {
  const unsupported = () => new Untranslatable(`the operator ${op} with this value`);
  if (property === ANONYMOUS && literal.type !== 'boolean') throw anonymousAs();
  switch (literal.type) {
    case 'null':
      if (op !== 'eq' && op !== 'ne') throw unsupported();
      return presence(property, (op === 'eq') === isNegated, note);
    case 'boolean': {
      if (op !== 'eq' && op !== 'ne') throw unsupported();
      noteValues(note, property, ['other text']);
      const wanted = (op === 'eq') === literal.value;
      if (property === ANONYMOUS) return [[isOneOf(property, ['true'], wanted === isNegated)]];
      return [[isOneOf(property, [String(wanted)], isNegated)]];
    }
    case 'texts': {
      if (op !== 'in') throw unsupported();
      const values = literal.values.filter((value) => value !== '');
      if (values.length < literal.values.length) noteValues(note, property, ['empty']);
      noteValues(note, property, kindsWrittenAs(values));
      return [[isOneOf(property, values, isNegated)]];
    }
    case 'text':
      return compareText(property, op, literal.value, isNegated, note);
    default:
      return compareNumber(property, op, literal, isNegated, note);
  }
}

function compareText(property: string, op: string, value: string, isNegated: boolean, note: Note): Alternatives {
  noteValues(note, property, ['other text'], 'caseMatters');
  const part = TEXT_OPERATORS.get(op);
  if (part && value !== '') {
    noteValues(note, property, kindsWithPart(part, [value]));
    return textCondition(property, part, [value], { isNegated });
  }
  if (part || value === '') {
    // Every text contains the empty text. A missing value and an empty one are the same here.
    if (!part && op !== 'eq' && op !== 'ne') throw new Untranslatable(`the operator ${op} with a text`);
    noteValues(note, property, [...ABSENT, 'empty', ...NO_TEXTS]);
    return [[(op === 'eq') === isNegated ? isSet(property) : isNotSet(property)]];
  }
  if (op === 'eq') {
    noteValues(note, property, kindsWrittenAs([value]));
    return [[isOneOf(property, [value], isNegated)]];
  }
  if (op !== 'ne') throw new Untranslatable(`the operator ${op} with a text`);
  noteValues(note, property, ['empty', ...NO_TEXTS]);
  if (isNegated) return [[isNotSet(property)], [isOneOf(property, [value])]];
  return [[isSet(property), isOneOf(property, [value], true)]];
}

/** For whole numbers, GO Feature Flag cuts off the fraction of an attribute. */
function compareNumber(
  property: string,
  op: string,
  { type, value }: Extract<Literal, { value: string }>,
  isNegated: boolean,
  note: Note,
): Alternatives {
  const others = isNegated ? ([...TEXTS, 'empty', 'boolean', 'list', 'object'] as const) : TEXTS;
  noteValues(note, property, [...others, ...(type === 'whole' ? (['fraction'] as const) : [])], 'numbers');
  const bound = numberText(value);
  const lacking: Alternatives = isNegated ? [[isNotSet(property)]] : [];
  const comparison = NUMBERS.get(op);
  if (comparison) return [[{ property, op: comparison[isNegated ? 1 : 0], value: bound }], ...lacking];
  if (op !== 'eq' && op !== 'ne') throw new Untranslatable(`the operator ${op} with a number`);
  return [...equalNumber(property, bound, (op === 'eq') !== isNegated), ...lacking];
}
