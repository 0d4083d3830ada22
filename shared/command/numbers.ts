import { InvalidArgumentError } from 'commander';

/** Reads an option's value that counts something. @throws {InvalidArgumentError} unless it is a whole number from 1 on */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('must be a whole number, 1 or more.');
  return Number(text);
}

/** Reads whole numbers that commas separate. @throws {InvalidArgumentError} as {@link wholeNumber} does */
export function wholeNumbers(text: string): number[] {
  return text.split(',').map(wholeNumber);
}

/** Reads a TCP port; 0 stands for any free one. @throws {InvalidArgumentError} */
export function portNumber(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('must be a port, 0 to 65535.');
  return Number(text);
}
