import { roundNumber } from '../../../shared/flags/exactJson.ts';
import {
  type DocumentReader,
  describe,
  isJsonObject,
  type JsonObject,
  readDocument,
} from '../../../shared/flags/reader.ts';
import { required } from '../translation/translator.ts';
import { objectsIn, requiredText, textIn, textOf, WrongForm } from '../translation/values.ts';

/** A condition on a trait. */
export type Condition = ReturnType<typeof readCondition>;

/** Conditions and nested rules. All, any or none of them must match. */
export interface Rule {
  readonly type: string;
  readonly conditions: readonly Condition[];
  readonly rules: readonly Rule[];
}

/** A feature's state: on or off, and a value. Percentages of users may get another value. */
export type State = ReturnType<typeof readState>;
/** A state for a segment or an identity, which overrides the environment's. */
export type Override = ReturnType<typeof readOverrides>[number];

/** The parts of an environment, with unparsed states and rules. */
export type Environment = ReturnType<typeof readEnvironment>;

/**
 * Parses an environment document, as SDKs with local evaluation receive it: the states of the features by name, segments of which all rules
 * must match, in order, and identities. For equal priorities, the override of the first segment applies.
 *
 * @throws {WrongForm} for any other file
 */
export function readEnvironment(file: unknown) {
  if (!isJsonObject(file)) throw new WrongForm(`the file must contain an object, but contains ${describe(file)}`);
  const { feature_states: states, project } = file;
  if (!Array.isArray(states)) throw new WrongForm(`"feature_states" must be an array, but is ${describe(states)}`);
  if (!isJsonObject(project)) throw new WrongForm(`"project" must be an object, but is ${describe(project)}`);
  const segments = objectsIn(project, 'segments').map((segment, n) => ({
    id: `flagsmith-${textOf(segment['id'])}`,
    number: numberIn(segment['id']),
    name: textOf(segment['name'] ?? segment['id']),
    rules: segment,
    overrides: readOverrides(segment, 'feature_states', `project.segments[${n}]`),
  }));
  return {
    states: objectsIn(file, 'feature_states').map((state) => [textIn(state['feature'], 'name'), state] as const),
    segments: segments.toSorted((a, b) => a.number - b.number),
    identities: objectsIn(file, 'identity_overrides').map((identity, n) => ({
      identifier: requiredText(identity, 'identifier', `identity_overrides[${n}]`),
      overrides: readOverrides(identity, 'identity_features', `identity_overrides[${n}]`),
    })),
  };
}

/** @throws {WrongForm} for an override that names no feature, or whose priority is no number */
function readOverrides(owner: JsonObject, field: string, path: string) {
  return objectsIn(owner, field).map((state, n) => {
    const { feature, feature_segment: place } = state;
    const at = `${path}.${field}[${n}]`;
    const priority = roundNumber((isJsonObject(place) ? place['priority'] : place) ?? Number.POSITIVE_INFINITY);
    if (typeof priority !== 'number')
      throw new WrongForm(`"${at}.feature_segment" must have a number as priority, but has ${describe(priority)}`);
    return {
      feature: requiredText(isJsonObject(feature) ? feature : {}, 'name', `${at}.feature`),
      // Of several segment overrides, the lowest applies.
      priority,
      state,
    };
  });
}

/** Other ids are last. */
function numberIn(value: unknown): number {
  const number = roundNumber(value);
  return typeof number === 'number' ? number : Number.POSITIVE_INFINITY;
}

/** Parses a state. @throws {Untranslatable} with the invalid fields */
export function readState(state: JsonObject) {
  return required(
    readDocument(state, 'a feature state', (reader) => ({
      isEnabled: reader.boolean('enabled'),
      // A string, a number, a boolean, or null for none.
      value: readValue(reader, 'feature_state_value'),
      variants: reader.objects('multivariate_feature_state_values', (variant) => ({
        value: variant.object('multivariate_feature_option', (option) => readValue(option, 'value')),
        percent: variant.number('percentage_allocation'),
      })),
    })),
  );
}

function readValue(reader: DocumentReader, field: string): unknown {
  const value = reader.source[field] ?? null;
  if (isJsonObject(value) || Array.isArray(value))
    reader.error(field, `must be a string, a number, true or false, but is ${describe(value)}`);
  return value;
}

/** Parses the rules of a segment. @throws {Untranslatable} with the invalid fields */
export function readRules(segment: JsonObject): readonly Rule[] {
  return required(readDocument(segment, 'a segment', (reader) => reader.objects('rules', readRule)));
}

function readRule(reader: DocumentReader): Rule {
  return {
    type: reader.string('type'),
    conditions: reader.objects('conditions', readCondition),
    rules: reader.objects('rules', readRule),
  };
}

function readCondition(reader: DocumentReader) {
  return {
    // The admin API spells it without the underscore.
    property: reader.string('property_', reader.string('property', '')),
    operator: reader.string('operator'),
    value: reader.source['value'],
  };
}
