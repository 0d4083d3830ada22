import { InvalidArgumentError } from 'commander';

/** Parses an option that is a count. @throws {InvalidArgumentError} unless it is a whole number of at least 1 */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('must be a whole number, 1 or more.');
  return Number(text);
}

/** Parses whole numbers separated by commas. @throws {InvalidArgumentError} as {@link wholeNumber} does */
export function wholeNumbers(text: string): number[] {
  return text.split(',').map(wholeNumber);
}

/** Parses a TCP port. 0 means any free port. @throws {InvalidArgumentError} */
export function portNumber(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('must be a port, 0 to 65535.');
  return Number(text);
}
