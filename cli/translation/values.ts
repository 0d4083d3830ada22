import type { VariationType } from '../../shared/flags/flag.ts';
import { isJsonObject } from '../../shared/flags/reader.ts';
import { Untranslatable } from './translation.ts';

const TYPES = { boolean: 'boolean', string: 'string', number: 'number', object: 'json' } as const;

/** The one type that all of these JSON values have. @throws {Untranslatable} when there is none */
export function typeOf(values: readonly unknown[]): VariationType {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  const variationType = TYPES[type as keyof typeof TYPES];
  if (others.length > 0 || variationType === undefined)
    throw new Untranslatable('variants of several types, or of none');
  return variationType;
}

/** A JSON value as text: text as it is, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : String(JSON.stringify(value));
}

/** The text in a field; the empty one, which is no key, where there is none. */
export function textIn(object: unknown, field: string): string {
  const value = isJsonObject(object) ? object[field] : undefined;
  return typeof value === 'string' ? value : '';
}
