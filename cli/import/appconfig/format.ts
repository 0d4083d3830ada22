import { roundNumber } from '../../../shared/flags/exactJson.ts';
import {
  type DocumentReader,
  describe,
  isJsonObject,
  type JsonObject,
  readDocument,
} from '../../../shared/flags/reader.ts';
import { required } from '../translation/translator.ts';
import { membersIn, Untranslatable, WrongForm } from '../translation/values.ts';

/** The keys of flags and attributes that AWS AppConfig allows. */
const KEY = /^[a-z][a-zA-Z\d_-]{0,63}$/;
const TIMES = ['_createdAt', '_updatedAt'];

export type AppConfigFlag = ReturnType<typeof readFlag>;

/**
 * The unparsed parts of each flag, by key.
 *
 * @throws {WrongForm} for any other file than of schema version 1
 */
export function readFlagSet(file: unknown) {
  if (!isJsonObject(file)) throw new WrongForm(`the file must contain an object, but contains ${describe(file)}`);
  const { version } = file;
  if (version !== '1')
    throw new WrongForm(`"version" must be "1", but is ${JSON.stringify(version)?.slice(0, 40) ?? 'missing'}`);
  const flags = new Map(membersIn(file, 'flags', {}));
  const values = new Map(membersIn(file, 'values', {}));
  const keys = new Set([...flags.keys(), ...values.keys()]);
  return Array.from(keys, (key) => ({ key, flag: flags.has(key) ? flags.get(key) : {}, value: values.get(key) }));
}

/** Parses a flag's definition and its value. @throws {Untranslatable} with what AWS AppConfig refuses, or does not document */
export function readFlag({ key, flag, value }: ReturnType<typeof readFlagSet>[number]) {
  if (!KEY.test(key)) throw new Untranslatable('a key that AWS AppConfig refuses');
  if (value === undefined) throw new Untranslatable('a flag without a value');
  const definition = required(readDocument(flag, 'the flag', readDefinition));
  const content = required(readDocument(value, 'the value', readValue));
  const attributes = [content, ...content.variants].flatMap((each) => Object.keys(each.attributes));
  return { ...definition, ...content, isJson: definition.hasAttributes || attributes.length > 0 };
}

function readDefinition(reader: DocumentReader) {
  const attributes =
    reader.source['attributes'] === undefined ? {} : reader.object('attributes', ({ source }) => source);
  return {
    name: reader.string('name', ''),
    description: reader.string('description', ''),
    hasAttributes: Object.keys(attributes).length > 0,
  };
}

function readValue(reader: DocumentReader) {
  const { _variants: variants } = reader.source;
  const attributes = readAttributes(reader, ['enabled', '_variants', ...TIMES]);
  // Which of both counts is not documented.
  if (variants !== undefined && (reader.source['enabled'] === false || Object.keys(attributes).length > 0))
    reader.error('_variants', 'must not be next to "enabled": false or attributes');
  return {
    isEnabled: reader.boolean('enabled', variants === undefined ? undefined : true),
    attributes,
    hasVariants: variants !== undefined,
    variants: reader.objects('_variants', readVariant),
  };
}

function readVariant(reader: DocumentReader) {
  const { name, enabled, rule, attributeValues, ...others } = reader.source;
  for (const key of Object.keys(others)) reader.error(key, 'is unknown to AWS AppConfig');
  if (typeof name === 'string' && !/^[^\n]{1,64}$/.test(name))
    reader.error('name', 'must be one line of 1 to 64 characters');
  return {
    name: reader.string('name'),
    isEnabled: reader.boolean('enabled'),
    // Without a rule, everybody gets the variant.
    rule: rule === undefined ? '' : reader.string('rule').trim(),
    attributes: attributeValues === undefined ? {} : reader.object('attributeValues', (each) => readAttributes(each)),
  };
}

function readAttributes(reader: DocumentReader, others: readonly string[] = []): JsonObject {
  const attributes = Object.entries(reader.source).filter(([key]) => !others.includes(key));
  for (const [key, value] of attributes) {
    // The answer of AWS AppConfig has the flag's own state by this name.
    if (!KEY.test(key) || key === 'enabled') reader.error(key, 'is a name that AWS AppConfig refuses');
    if (!isAttributeValue(value))
      reader.error(key, `must be a string, a number, true or false, or a list of one type, but is ${describe(value)}`);
  }
  return Object.fromEntries(attributes);
}

function isAttributeValue(value: unknown): boolean {
  const types = new Set([value].flat().map((each) => typeof roundNumber(each)));
  const allowed = ['string', 'number', ...(Array.isArray(value) ? [] : ['boolean'])];
  return types.size <= 1 && [...types].every((type) => allowed.includes(type));
}
