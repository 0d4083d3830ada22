import { InvalidInput } from './invalidInput.ts';
import { wellFormedJson } from './wellFormed.ts';

/** How an SDK parses a variation's value. On the wire it is always a string. */
export const VARIATION_TYPES = ['boolean', 'string', 'number', 'json'] as const;
export type VariationType = (typeof VARIATION_TYPES)[number];

/** The description of each type's values, for messages. */
const EXPECTED: Readonly<Record<VariationType, string>> = {
  boolean: 'true or false',
  number: 'a number, for example 12.5',
  json: 'valid JSON with numbers up to 1.8e308, for example {"size": 12}',
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
  if (type === 'json' && json !== value.trim())
    return `${quoted} has half of a character (an unpaired surrogate): ${json}`;
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
  return isReadableJson(trimmed) ? wellFormedJson(trimmed) : undefined;
}

/** A variation's value in a form that equal values have in common: `1`, `1.0` and `1e0` are one number. */
export function comparableValue(type: VariationType, value: string): string {
  const [, sign, integer, fraction = '', exponent = ''] = type === 'number' ? (NUMBER.exec(value.trim()) ?? []) : [];
  if (integer === undefined) return value;
  const digits = `${integer}${fraction}`.replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const scale = Number(exponent.slice(1)) - fraction.length + digits.length - end;
  return end === 0 ? '0' : `${sign}${digits.slice(0, end)}e${scale}`;
}

/** A number as JSON writes it. Its digits and its exponent stay as they are. */
function numberJson(text: string): string | undefined {
  const [, sign, integer, fraction, exponent = ''] = NUMBER.exec(text) ?? [];
  if (integer === undefined || !Number.isFinite(Number(text))) return undefined;
  return `${sign}${integer.replace(/^0+(?=\d)/, '') || '0'}${fraction ? `.${fraction}` : ''}${exponent}`;
}

const NUMBER = /^(-?)(?=\.?\d)(\d*)(?:\.(\d*))?(e[+-]?\d+)?$/i;

/** Whether a text is JSON for the clients of all languages. Go refuses a whole response with a number above 1.8e308. */
function isReadableJson(text: string): boolean {
  try {
    return !hasInfinity(JSON.parse(text));
  } catch {
    return false;
  }
}

/** Without recursion, because values may be nested deeply. */
function hasInfinity(parsed: unknown): boolean {
  const waiting = [parsed];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'number' && !Number.isFinite(value)) return true;
    if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) waiting.push(member);
  }
  return false;
}
