import type { VariationType } from './flag.ts';
import { InvalidInput } from './invalidInput.ts';

/** The description of each type's values, for messages. */
const EXPECTED: Readonly<Record<VariationType, string>> = {
  boolean: 'true or false',
  number: 'a number, for example 12.5',
  json: 'valid JSON, for example {"size": 12}',
  string: 'text',
};

/** Checks that SDKs can parse a variation's value as its flag's type. @throws {InvalidInput} */
export function requireValueOfType(type: VariationType, value: string): void {
  const problem = problemOfValue(type, value);
  if (problem !== undefined) throw new InvalidInput(problem);
}

/**
 * Why a variation's value is refused for its flag's type. Undefined if it is accepted: booleans and numbers must be
 * written as in JSON.
 */
export function problemOfValue(type: VariationType, value: string): string | undefined {
  const json = valueJson(type, value);
  const quoted = `"${value.slice(0, 80)}"`;
  if (json === undefined) return `${quoted} is not ${EXPECTED[type]}`;
  return type === 'string' || type === 'json' || json === value ? undefined : `${quoted} must be written as ${json}`;
}

/**
 * A variation's value as JSON of its flag's type. Values that were stored before today's rules may have space around
 * them, booleans in capital letters, and numbers such as `007`, `.5` and `5.`.
 *
 * @returns undefined if the value is not of that type
 */
export function valueJson(type: VariationType, value: string): string | undefined {
  if (type === 'string') return JSON.stringify(value);
  const trimmed = value.trim();
  if (type === 'boolean') return /^(true|false)$/i.test(trimmed) ? trimmed.toLowerCase() : undefined;
  if (type === 'number') return numberJson(trimmed);
  return isJson(trimmed) ? trimmed : undefined;
}

/** A number as JSON writes it. Its digits and its exponent stay as they are. */
function numberJson(text: string): string | undefined {
  const [, sign, integer, fraction, exponent = ''] = NUMBER.exec(text) ?? [];
  if (integer === undefined || !Number.isFinite(Number(text))) return undefined;
  return `${sign}${integer.replace(/^0+(?=\d)/, '') || '0'}${fraction ? `.${fraction}` : ''}${exponent}`;
}

const NUMBER = /^(-?)(?=\.?\d)(\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
