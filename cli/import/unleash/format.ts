import { roundNumber } from '../../../shared/flags/exactJson.ts';
import {
  type DocumentReader,
  describe,
  isJsonObject,
  type JsonObject,
  readDocument,
} from '../../../shared/flags/reader.ts';
import { required } from '../translation/translator.ts';
import {
  chooseSource,
  objectsIn,
  requiredText,
  textIn,
  textOf,
  Untranslatable,
  WrongForm,
} from '../translation/values.ts';

/** A condition on the context. */
export type Constraint = ReturnType<typeof readConstraint>;
export type Variant = ReturnType<typeof readVariant>;
/** An activation strategy. A feature is on for a user if one of its strategies is. */
export type Strategy = ReturnType<typeof readStrategy>;
export type Feature = ReturnType<typeof readFeature>;

/** An environment's features and segments, unparsed. */
export interface Environment {
  readonly features: readonly JsonObject[];
  readonly segments: readonly JsonObject[];
}

/**
 * Parses a server's response to SDKs, or the export of one environment. The export stores the parts of a feature
 * separately.
 *
 * @throws {WrongForm} for any other file
 */
export function readEnvironment(file: unknown, sourceEnv?: string): Environment {
  if (!isJsonObject(file)) throw new WrongForm(`the file must contain an object, but contains ${describe(file)}`);
  if (!Array.isArray(file['features']))
    throw new WrongForm(`"features" must be an array, but is ${describe(file['features'])}`);
  const features = objectsIn(file, 'features');
  const segments = objectsIn(file, 'segments');
  if (!Object.hasOwn(file, 'featureStrategies')) {
    chooseSource([], sourceEnv, 'the file');
    return { features, segments };
  }

  const environments = named(file, 'featureEnvironments', 'featureName');
  const strategies = named(file, 'featureStrategies', 'featureName').toSorted((a, b) => order(a) - order(b));
  const all = [...environments, ...strategies].flatMap(({ environment }) => environment ?? []);
  const names = [...new Set(all.map(textOf))];
  const source = chooseSource(names, sourceEnv, '"featureEnvironments"');
  const isHere = ({ environment }: JsonObject) =>
    environment === undefined || environment === null || textOf(environment) === source;
  const links = named(file, 'featureStrategySegments', 'featureStrategyId');
  if (links.length > 0) named(file, 'featureStrategies', 'id');
  const segmentsOf = ({ id }: JsonObject) =>
    links.filter(({ featureStrategyId }) => featureStrategyId === id).map(({ segmentId }) => segmentId);
  const dependent = new Set(named(file, 'dependencies', 'feature').map(({ feature }) => feature));
  const assembled = features.map((feature) => {
    const { name } = feature;
    const here = environments.find((each) => each['featureName'] === name && isHere(each));
    return {
      ...feature,
      enabled: here?.['enabled'],
      variants: here?.['variants'] ?? feature['variants'],
      strategies: strategies
        .filter((each) => each['featureName'] === name && isHere(each))
        // In exports of version 4 and older, strategies have other fields.
        .map((strategy) => ({ name: strategy['strategyName'], segments: segmentsOf(strategy), ...strategy })),
      dependencies: dependent.has(name) ? [{}] : [],
    };
  });
  return { features: assembled, segments };
}

/** The objects of a list with the text that says where each belongs, so that none is lost. */
function named(file: JsonObject, list: string, field: string): readonly JsonObject[] {
  const objects = objectsIn(file, list);
  for (const [n, object] of objects.entries()) requiredText(object, field, `${list}[${n}]`);
  return objects;
}

const order = ({ sortOrder }: JsonObject) => Number(roundNumber(sortOrder)) || 0;

/** Parses a feature. @throws {Untranslatable} with the invalid fields */
export function readFeature(feature: JsonObject) {
  return required(
    readDocument(feature, 'a feature', (reader) => ({
      description: reader.string('description', ''),
      isEnabled: reader.boolean('enabled'),
      isArchived: reader.boolean('archived', false),
      strategies: readStrategies(reader),
      variants: reader.objects('variants', readVariant),
      hasDependencies: reader.objects('dependencies', () => true).length > 0,
    })),
  );
}

/** Parses the constraints of a segment. @throws {Untranslatable} if there are none: an export contains only its name */
export function readSegment(segment: JsonObject): readonly Constraint[] {
  if (typeof segment['id'] !== 'number') throw new Untranslatable('a segment whose "id" is not a number');
  if (!Object.hasOwn(segment, 'constraints'))
    throw new Untranslatable('a segment whose "constraints" are not in the file');
  return required(readDocument(segment, 'a segment', (reader) => reader.objects('constraints', readConstraint)));
}

/** A feature without strategies is on for everyone, so a missing field is an error. */
function readStrategies(reader: DocumentReader) {
  const { strategies } = reader.source;
  if (!Array.isArray(strategies)) reader.error('strategies', `must be an array, but is ${describe(strategies)}`);
  return Array.isArray(strategies) ? reader.objects('strategies', readStrategy) : [];
}

function readStrategy(reader: DocumentReader) {
  const parameters = reader.source['parameters'] == null ? {} : reader.object('parameters', readParameters);
  return {
    name: reader.string('name'),
    parameters,
    constraints: reader.objects('constraints', readConstraint),
    segments: readSegmentIds(reader),
    variants: reader
      .objects('variants', readVariant)
      .map((variant) => ({ ...variant, stickiness: variant.stickiness || textIn(parameters, 'stickiness') })),
    isDisabled: reader.boolean('disabled', false),
  };
}

/** Parameters are text. A percentage may be a number. */
function readParameters(reader: DocumentReader): JsonObject {
  for (const name of ['userIds', 'stickiness', 'groupId']) reader.string(name, '');
  for (const name of ['rollout', 'percentage'])
    if (typeof roundNumber(reader.source[name]) !== 'number') reader.string(name, '');
  return reader.source;
}

/** Without its segments, a strategy would be for everybody. */
function readSegmentIds(reader: DocumentReader): readonly number[] {
  const ids = reader.source['segments'] ?? [];
  const isValid = Array.isArray(ids) && ids.every((id) => typeof id === 'number');
  if (!isValid) reader.error('segments', 'must be an array of numbers');
  return isValid ? ids : [];
}

function readConstraint(reader: DocumentReader) {
  return {
    contextName: reader.string('contextName'),
    operator: reader.string('operator'),
    inverted: reader.boolean('inverted', false),
    caseInsensitive: reader.boolean('caseInsensitive', false),
    values: reader.strings('values'),
    // For operators that take one value.
    value: reader.source['value'],
  };
}

function readVariant(reader: DocumentReader) {
  const payload = reader.source['payload'];
  const weight = reader.number('weight');
  if (weight < 0) reader.error('weight', `must not be negative, but is ${weight}`);
  if (!Number.isInteger(weight)) reader.error('weight', `must be a whole number, but is ${weight}`);
  return {
    name: reader.string('name'),
    weight,
    // The context field that splits users. Empty for the default one.
    stickiness: reader.string('stickiness', ''),
    payload:
      payload == null
        ? undefined
        : reader.object('payload', (given) => ({ type: given.string('type'), value: given.string('value') })),
    // Contexts that always get the variant, before the random selection.
    overrides: reader.objects('overrides', (override) => ({
      contextName: override.string('contextName'),
      values: override.strings('values'),
    })),
  };
}
