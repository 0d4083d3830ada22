import { type DocumentReader, describe, isJsonObject, readDocument } from '../../../shared/flags/reader.ts';
import { required } from '../translation/translator.ts';
import { membersIn, Untranslatable, WrongForm } from '../translation/values.ts';

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

/**
 * Parses a flag's definition and its value. Names and attributes are not checked: AWS AppConfig has done so.
 *
 * @throws {Untranslatable} with members of another type, and what is not documented
 */
export function readFlag({ flag, value }: ReturnType<typeof readFlagSet>[number]) {
  if (value === undefined) throw new Untranslatable('a flag without a value');
  const definition = required(readDocument(flag, 'the flag', readDefinition));
  const content = required(readDocument(value, 'the value', readValue));
  const attributes = [content, ...content.variants].flatMap((each) => Object.keys(each.attributes));
  return { ...definition, ...content, isJson: definition.hasAttributes || attributes.length > 0 };
}

function readDefinition(reader: DocumentReader) {
  return {
    name: reader.string('name', ''),
    description: reader.string('description', ''),
    hasAttributes: Object.keys(readAttributes(reader, 'attributes')).length > 0,
  };
}

function readValue(reader: DocumentReader) {
  const { enabled, _variants: variants, _createdAt, _updatedAt, ...attributes } = reader.source;
  // Which of both counts is not documented.
  if (variants !== undefined && (enabled === false || Object.keys(attributes).length > 0))
    reader.error('_variants', 'must not be next to "enabled": false or attributes');
  return {
    isEnabled: reader.boolean('enabled', variants === undefined ? undefined : true),
    attributes,
    hasVariants: variants !== undefined,
    variants: reader.objects('_variants', readVariant),
  };
}

function readVariant(reader: DocumentReader) {
  const known = ['name', 'enabled', 'rule', 'attributeValues'];
  const other = Object.keys(reader.source).find((key) => !known.includes(key));
  if (other !== undefined) reader.error(other, 'is unknown to AWS AppConfig');
  return {
    name: reader.string('name'),
    isEnabled: reader.boolean('enabled'),
    // Without a rule, everybody gets the variant.
    rule: reader.source['rule'] === undefined ? '' : reader.string('rule').trim(),
    attributes: readAttributes(reader, 'attributeValues'),
  };
}

function readAttributes(reader: DocumentReader, field: string) {
  return reader.source[field] === undefined ? {} : reader.object(field, ({ source }) => source);
}
