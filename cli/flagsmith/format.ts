import {
  type DocumentReader,
  describe,
  isJsonObject,
  type JsonObject,
  readDocument,
} from '../../shared/flags/reader.ts';
import { WrongForm } from '../translation/translation.ts';
import { required } from '../translation/translator.ts';
import { textIn, textOf } from '../translation/values.ts';

/** A question about a trait. */
export interface Condition {
  readonly property: string;
  readonly operator: string;
  readonly value: unknown;
}

/** Questions and further rules, of which all, any or none must hold. */
export interface Rule {
  readonly type: string;
  readonly conditions: readonly Condition[];
  readonly rules: readonly Rule[];
}

/** What a feature gives: whether it is on, and a value, which percentages of users get another of. */
export interface State {
  readonly isEnabled: boolean;
  /** Text, a number, true or false, or null for none. */
  readonly value: unknown;
  readonly variants: readonly { readonly value: unknown; readonly percent: number }[];
}

/** A state instead of the environment's, for a segment or an identity. */
export interface Override {
  readonly feature: string;
  /** Of several overrides for segments, the lowest counts. */
  readonly priority: number;
  readonly state: JsonObject;
}

export interface Segment {
  readonly id: string;
  readonly name: string;
  /** All of them must hold. */
  readonly rules: JsonObject;
  readonly overrides: readonly Override[];
}

/** An environment's parts; states and rules are still to be read. */
export interface Environment {
  /** Of the features, by name. */
  readonly states: readonly (readonly [feature: string, state: JsonObject])[];
  /** In the order in which they count where their priorities are the same. */
  readonly segments: readonly Segment[];
  readonly identities: readonly { readonly identifier: string; readonly overrides: readonly Override[] }[];
}

/**
 * Reads an environment document, as SDKs that evaluate locally get it.
 *
 * @throws {WrongForm} another file
 */
export function readEnvironment(file: unknown): Environment {
  if (!isJsonObject(file)) throw new WrongForm(`the file must hold an object, but holds ${describe(file)}`);
  const { feature_states: states, project } = file;
  if (!Array.isArray(states)) throw new WrongForm(`"feature_states" must be an array, but is ${describe(states)}`);
  if (!isJsonObject(project)) throw new WrongForm(`"project" must be an object, but is ${describe(project)}`);
  const segments = objectsIn(project['segments']).map((segment) => ({
    id: `flagsmith-${textOf(segment['id'])}`,
    number: typeof segment['id'] === 'number' ? segment['id'] : Number.POSITIVE_INFINITY,
    name: textOf(segment['name'] ?? segment['id']),
    rules: segment,
    overrides: objectsIn(segment['feature_states']).map(readOverride),
  }));
  return {
    states: objectsIn(states).map((state) => [featureOf(state), state] as const),
    segments: segments.toSorted((a, b) => a.number - b.number),
    identities: objectsIn(file['identity_overrides']).map((identity) => ({
      identifier: textIn(identity, 'identifier'),
      overrides: objectsIn(identity['identity_features']).map(readOverride),
    })),
  };
}

function readOverride(state: JsonObject): Override {
  const { feature_segment: place } = state;
  const priority = isJsonObject(place) ? place['priority'] : undefined;
  return {
    feature: featureOf(state),
    priority: typeof priority === 'number' ? priority : Number.POSITIVE_INFINITY,
    state,
  };
}

function featureOf({ feature }: JsonObject): string {
  return textIn(feature, 'name');
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Reads a state. @throws {Untranslatable} naming the fields that are wrong */
export function readState(state: JsonObject): State {
  return required(
    readDocument(state, 'a feature state', (reader) => ({
      isEnabled: reader.boolean('enabled'),
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
  if (typeof value === 'object' && value !== null)
    reader.error(field, `must be a string, a number, true or false, but is ${describe(value)}`);
  return value;
}

/** Reads the rules of a segment. @throws {Untranslatable} naming the fields that are wrong */
export function readRules(segment: JsonObject): readonly Rule[] {
  return required(readDocument(segment, 'a segment', (reader) => reader.objects('rules', readRule)));
}

function readRule(reader: DocumentReader): Rule {
  return {
    type: reader.string('type'),
    conditions: reader.objects('conditions', (condition) => ({
      // The API for administrators spells it without the underscore.
      property: condition.string('property_', condition.string('property', '')),
      operator: condition.string('operator'),
      value: condition.source['value'],
    })),
    rules: reader.objects('rules', readRule),
  };
}
