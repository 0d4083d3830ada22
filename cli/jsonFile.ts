import { readFileSync } from 'node:fs';
import { isNestedDeeper } from '../shared/flags/nesting.ts';
import { CliError } from './io.ts';

/** The most levels of arrays and objects in a file or a value: what reads them calls itself for each. Services write about ten. */
export const MAX_NESTING = 1_000;

/** What is wrong with a JSON text that has more levels. */
export const TOO_DEEP = `nests arrays and objects deeper than ${MAX_NESTING.toLocaleString('en')} levels`;

/**
 * Reads a JSON file.
 *
 * @param explain says of a text that is not JSON why it cannot be read, where that is known
 * @throws {CliError} when it cannot be read, is not JSON, or has more levels than {@link MAX_NESTING}
 */
export function readJson(path: string, explain: (text: string) => string | undefined = () => undefined): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(`${path} cannot be read as JSON: ${(error as Error).message}`);
  }
  if (isNestedDeeper(text, MAX_NESTING)) {
    throw new CliError(`${path} ${TOO_DEEP}: flatten what is nested, or leave it out of the file`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const known = explain(text);
    throw new CliError(known ? `${path}: ${known}` : `${path} cannot be read as JSON: ${(error as Error).message}`);
  }
}
