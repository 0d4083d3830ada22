import { ExactNumber, parseLongNumbers, roundNumber } from '../../../shared/flags/exactJson.ts';
import type { VariationType } from '../../../shared/flags/flag.ts';
import { describe, isJsonObject, type JsonObject } from '../../../shared/flags/reader.ts';

const TYPES = { boolean: 'boolean', string: 'string', number: 'number', object: 'json' } as const;

/** The common type of these JSON values. @throws {Untranslatable} if there is none */
export function typeOf(values: readonly unknown[]): VariationType {
  const [type, ...others] = new Set(values.map((value) => typeof roundNumber(value)));
  const variationType = TYPES[type as keyof typeof TYPES];
  if (others.length > 0 || variationType === undefined)
    throw new Untranslatable('variants of different types, or without a type');
  return variationType;
}

/** A JSON value as text. Text and numbers stay unchanged, other values become JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

/** The variation that is false: what a boolean flag serves while it is off, if the service does not say. */
export function falseOf(variants: readonly (readonly [name: string, value: unknown])[]): string | undefined {
  return variants.find(([, value]) => value === false)?.[0];
}

/** The text of a field. If missing, the empty text, which is not a valid key. */
export function textIn(object: unknown, field: string): string {
  const value = isJsonObject(object) ? object[field] : undefined;
  return typeof value === 'string' ? value : '';
}

/** The text of a field that tells where an object belongs. @throws {WrongForm} that names another value */
export function requiredText(object: JsonObject, field: string, path: string): string {
  const value = object[field];
  if (typeof value === 'string') return value;
  throw new WrongForm(`"${path}.${field}" must be a string, but is ${describe(value)}`);
}

/**
 * The environment to import: the wanted one, or the only one.
 *
 * @param field the field that has the environments
 * @returns undefined if there is none
 * @throws {WrongForm} if it is missing, or if there are several and none is wanted
 */
export function chooseSource(names: readonly string[], wanted: string | undefined, field: string): string | undefined {
  if (wanted !== undefined && !names.includes(wanted))
    throw new WrongForm(`${field} has no environment "${wanted}", but ${names.join(', ') || 'none'}`);
  if (wanted === undefined && names.length > 1)
    throw new WrongForm(`${field} has several environments: ${names.join(', ')}; choose one with --source-env`);
  return wanted ?? names[0];
}

/** The members of an object of the file. @throws {WrongForm} that names another value */
export function membersIn(file: JsonObject, field: string, fallback?: JsonObject): [key: string, value: unknown][] {
  const members = file[field] ?? fallback;
  if (!isJsonObject(members)) throw new WrongForm(`"${field}" must be an object, but is ${describe(members)}`);
  return Object.entries(members);
}

/** The objects of a list. A missing list is empty. @throws {WrongForm} that names another value */
export function objectsIn(object: JsonObject, field: string): readonly JsonObject[] {
  const list = object[field] ?? [];
  if (!Array.isArray(list)) throw new WrongForm(`"${field}" must be an array, but is ${describe(list)}`);
  return list.map((item: unknown, index) => {
    if (isJsonObject(item)) return item;
    throw new WrongForm(`"${field}[${index}]" must be an object, but is ${describe(item)}`);
  });
}

/** A value as conditions compare it with an attribute of a request: a long number with all its digits. */
export function comparedText(value: unknown): string {
  return value instanceof ExactNumber ? numberText(value.text) : String(value);
}

/**
 * A number's text as a request has it for an attribute.
 *
 * @param value the number that the other service reads from the text
 */
export function numberText(text: string, value = Number(text)): string {
  try {
    const number = parseLongNumbers(text);
    return number instanceof ExactNumber ? number.text : String(value);
  } catch {
    return String(value);
  }
}

/** Whether other services, which compare doubles, also match other numbers than this. */
export function isRounded(value: unknown): boolean {
  return value instanceof ExactNumber && comparedText(value) !== String(Number(value.text));
}

/** A part of a file that is not supported here. The message names it. */
export class Untranslatable extends Error {
  override name = 'Untranslatable';
}

/** A file in another format than requested. The message names the field. */
export class WrongForm extends Error {
  override name = 'WrongForm';
}
