import {
  type DocumentReader,
  describe,
  isJsonObject,
  type JsonObject,
  readDocument,
} from '../../../shared/flags/reader.ts';
import { required } from '../translation/translator.ts';
import { chooseSource, membersIn, objectsIn, textIn, Untranslatable, WrongForm } from '../translation/values.ts';

/** The query of a request to the REST API that returns targets and rules. */
const REST_QUERY = '?env=<key>&summary=0';

const SUMMARY = `has "_summary" instead of targets and rules; request the API with ${REST_QUERY}`;

/** A condition on an attribute of a context. It matches if one of its values does. */
export type Clause = ReturnType<typeof readClause>;
/** What to serve: a variation by its index, or a rollout. */
export type Serving = ReturnType<typeof readServed>;
export type Flag = ReturnType<typeof readFlag>;

/** The members of a file by key, unparsed. */
export interface Environment {
  readonly flags: readonly (readonly [key: string, flag: JsonObject])[];
  readonly segments: readonly (readonly [key: string, segment: JsonObject])[];
}

/**
 * Parses the data of SDKs, or flags of the REST API with the settings of one environment.
 *
 * @throws {WrongForm} for any other file, or several environments
 */
export function readEnvironment(file: unknown, sourceEnv?: string): Environment {
  if (!isJsonObject(file)) throw new WrongForm(`the file must contain an object, but contains ${describe(file)}`);
  const { items, environments } = file;
  if (Array.isArray(items)) return { flags: ofOneEnvironment(objectsIn(file, 'items'), sourceEnv), segments: [] };
  if (isJsonObject(environments)) return { flags: ofOneEnvironment([file], sourceEnv), segments: [] };
  chooseSource([], sourceEnv, 'the file');
  const values = membersIn(file, 'flagValues', {}).map(([key, value]) => [key, flagWithValue(value)] as const);
  const flags = membersIn(file, 'flags', values.length > 0 ? {} : undefined);
  return { flags: [...objectsOf(flags), ...values], segments: objectsOf(membersIn(file, 'segments', {})) };
}

function objectsOf(members: readonly (readonly [string, unknown])[]): Environment['flags'] {
  return members.map(([key, member]) => [key, isJsonObject(member) ? member : {}] as const);
}

/** A member of `flagValues`, the short form of file data: everyone gets the value. */
function flagWithValue(value: unknown): JsonObject {
  return { on: true, variations: [value], fallthrough: { variation: 0 }, offVariation: 0 };
}

function ofOneEnvironment(flags: readonly JsonObject[], sourceEnv: string | undefined): Environment['flags'] {
  const settings = flags.map(({ environments }) => (isJsonObject(environments) ? environments : {}));
  const names = [...new Set(settings.flatMap((environments) => Object.keys(environments)))];
  const name = chooseSource(names, sourceEnv, '"environments"');
  if (name === undefined) throw new WrongForm(`"environments" contains none; request the API with ${REST_QUERY}`);
  const here = settings.map((environments) => (isJsonObject(environments[name]) ? environments[name] : {}));
  if (here.every(isSummary)) throw new WrongForm(`"environments.${name}" ${SUMMARY}`);
  return flags.map((flag, n) => [textIn(flag, 'key'), { ...flag, ...here[n], archived: flag['archived'] }] as const);
}

/** Without `summary=0`, the API counts targets and rules instead of listing them. */
function isSummary(flag: JsonObject): boolean {
  return Object.hasOwn(flag, '_summary') && !Object.hasOwn(flag, 'fallthrough');
}

/** Parses a flag. @throws {Untranslatable} with fields that are invalid or not supported */
export function readFlag(flag: JsonObject) {
  if (isSummary(flag)) throw new Untranslatable(`a flag that ${SUMMARY}`);
  return required(
    readDocument(flag, 'a flag', (reader) => {
      refuseIf(reader.boolean('archived', false) || reader.boolean('deleted', false), 'an archived or deleted flag');
      refuseIf(reader.objects('prerequisites', () => true).length > 0, 'prerequisites');
      return {
        name: textIn(flag, 'name'),
        description: reader.string('description', ''),
        tags: reader.strings('tags'),
        isOn: reader.boolean('on', false),
        variations: listIn(reader, 'variations').map((variation) =>
          // In the REST API, variations have names.
          isJsonObject(variation) && Object.hasOwn(variation, '_id')
            ? { name: textIn(variation, 'name'), value: variation['value'] }
            : { name: '', value: variation },
        ),
        targets: readTargets(reader),
        rules: reader.objects('rules', (rule) => ({ ...readServed(rule), clauses: readClauses(rule) })),
        fallthrough: reader.object('fallthrough', readServed),
        offVariation: reader.source['offVariation'] == null ? undefined : reader.number('offVariation'),
      };
    }),
  );
}

/** Parses a segment. @throws {Untranslatable} with fields that are invalid or not supported */
export function readSegment(segment: JsonObject) {
  return required(
    readDocument(segment, 'a segment', (reader) => {
      refuseIf(reader.boolean('unbounded', false), 'a big segment, whose members are not in the file');
      refuseIf(reader.boolean('deleted', false), 'a deleted segment');
      return {
        included: [...reader.strings('included'), ...reader.objects('includedContexts', readContexts).flat()],
        excluded: [...reader.strings('excluded'), ...reader.objects('excludedContexts', readContexts).flat()],
        rules: reader.objects('rules', (rule) => {
          if (rule.source['weight'] != null) throw new Untranslatable('a percentage rule in a segment');
          return readClauses(rule);
        }),
      };
    }),
  );
}

function refuseIf(isRefused: boolean, what: string): void {
  if (isRefused) throw new Untranslatable(what);
}

/**
 * The targets that apply, in order. If there are `contextTargets`, those of kind `user` set the order. Each refers to
 * the first of `targets` with its variation. Other `targets` do not apply (`evalTargets` of LaunchDarkly's SDKs).
 *
 * @throws {Untranslatable} for targets that are not users
 */
function readTargets(reader: DocumentReader) {
  const targets = reader.objects('targets', (target) => ({
    values: readContexts(target),
    variation: target.number('variation'),
  }));
  const places = reader.objects('contextTargets', (place) => {
    const isOfUsers = kindOf(place) === 'user';
    if (!isOfUsers) readContexts(place);
    return { isOfUsers, variation: place.number('variation') };
  });
  if (places.length === 0) return targets;
  return places.flatMap(({ isOfUsers, variation }) => {
    const target = isOfUsers ? targets.find((candidate) => candidate.variation === variation) : undefined;
    return target ? [target] : [];
  });
}

function readContexts(reader: DocumentReader): readonly string[] {
  const values = reader.strings('values');
  if (values.length > 0) requireUser(reader);
  return values;
}

function readServed(reader: DocumentReader) {
  const { variation, rollout } = reader.source;
  // If both are present, the variation applies (`variationOrRollout` of LaunchDarkly's SDKs).
  if (variation != null || rollout == null)
    return { variation: variation == null ? undefined : reader.number('variation'), rollout: undefined };
  return {
    variation: undefined,
    rollout: reader.object('rollout', (shares) => {
      requireUser(shares);
      // In thousandths of a percent: 100,000 is everyone.
      const weights = shares.objects('variations', (share) => ({
        variation: share.number('variation'),
        weight: share.number('weight'),
      }));
      // Experiments split contexts by key.
      return {
        bucketBy: shares.string('kind', '') === 'experiment' ? 'key' : attributeIn(shares, 'bucketBy') || 'key',
        weights,
      };
    }),
  };
}

/** A rule without clauses matches everybody, so a missing field is an error. */
function readClauses(rule: DocumentReader) {
  listIn(rule, 'clauses');
  return rule.objects('clauses', readClause);
}

function readClause(reader: DocumentReader) {
  const op = reader.string('op');
  if (op !== 'segmentMatch') requireUser(reader);
  return {
    attribute: op === 'segmentMatch' ? '' : attributeIn(reader, 'attribute'),
    op,
    values: listIn(reader, 'values'),
    negate: reader.boolean('negate', false),
  };
}

/** Only contexts of kind `user` are supported here. LaunchDarkly's SDKs disagree about an empty kind. */
function requireUser(reader: DocumentReader): void {
  refuseIf(reader.source['contextKind'] === '', 'an empty "contextKind"');
  const kind = kindOf(reader);
  if (kind !== 'user') throw new Untranslatable(`contexts of the kind ${kind}`);
}

function kindOf(reader: DocumentReader): string {
  return reader.string('contextKind', '') || 'user';
}

/**
 * An attribute's name. With a context kind, it is a reference, which may be a path.
 *
 * @throws {Untranslatable} for a path, and for a reference that one of LaunchDarkly's SDKs refuses
 */
function attributeIn(reader: DocumentReader, field: string): string {
  const text = reader.string(field, '');
  if (reader.source['contextKind'] == null || text === '') return text;
  if (/\/\/|^\/$|^\/.*(\/$|~(?![01]))|~$|^\/?_meta(\/|$)/s.test(text))
    throw new Untranslatable(`the malformed attribute reference ${text}`);
  if (!text.startsWith('/')) return text;
  const [name = '', ...deeper] = text.slice(1).split('/');
  if (deeper.length > 0) throw new Untranslatable(`the attribute ${text} of an attribute`);
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

function listIn(reader: DocumentReader, field: string): readonly unknown[] {
  const list = reader.source[field];
  if (!Array.isArray(list)) reader.error(field, `must be an array, but is ${describe(list)}`);
  return Array.isArray(list) ? list : [];
}
