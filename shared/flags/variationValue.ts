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

/** Why SDKs cannot parse a variation's value as its flag's type. Undefined if they can. */
export function problemOfValue(type: VariationType, value: string): string | undefined {
  if (isOfType(type, value)) return undefined;
  return `"${value.slice(0, 80)}" is not ${EXPECTED[type]}`;
}

function isOfType(type: VariationType, value: string): boolean {
  switch (type) {
    case 'boolean':
      return value === 'true' || value === 'false';
    case 'number':
      return /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value) && Number.isFinite(Number(value));
    case 'json':
      return isJson(value);
    default:
      return true;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
