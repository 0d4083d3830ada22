import { ExactNumber, parseLongNumbers } from '../../../shared/flags/exactJson.ts';

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
