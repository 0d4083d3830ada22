import { ExactNumber, roundNumber } from './exactJson.ts';
import { type ParseResult, type Problem, parsed } from './problem.ts';

/** A JSON object with unchecked fields. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not null, not an array, not a number. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

/** The English name of a JSON value's type, for messages. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (value instanceof ExactNumber) return describe(roundNumber(value));
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number out of range';
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Parses a document from JSON. @param name its name with article, for the message if it is not an object */
export function readDocument<T>(value: unknown, name: string, read: (reader: DocumentReader) => T): ParseResult<T> {
  const problems: Problem[] = [];
  if (isJsonObject(value)) return parsed(read(new DocumentReader(value, '', problems)), problems);
  const message = `${name} must be an object, but is ${describe(value)}`;
  return { ok: false, problems: [{ path: '', message, severity: 'error' }] };
}

/**
 * Reads the fields of one JSON object and collects all problems, so that an author sees them at once. After an error, a
 * field's reader returns a placeholder, and the caller discards the document.
 */
export class DocumentReader {
  readonly source: JsonObject;
  readonly #path: string;
  readonly #problems: Problem[];

  constructor(source: JsonObject, path: string, problems: Problem[]) {
    this.source = source;
    this.#path = path;
    this.#problems = problems;
  }

  /** The path of a field of this object. */
  at(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`;
  }

  error(key: string, message: string): void {
    this.#problems.push({ path: this.at(key), message, severity: 'error' });
  }

  warn(key: string, message: string): void {
    this.#problems.push({ path: this.at(key), message, severity: 'warning' });
  }

  /** A string. `fallback` replaces a missing or null field. Without a fallback, the field is required. */
  string(key: string, fallback?: string): string {
    return this.#value(key, 'a string', (value) => typeof value === 'string', fallback, '');
  }

  /** A string or null. A missing field is null. */
  nullableString(key: string): string | null {
    const value = this.source[key];
    if (typeof value === 'string') return value;
    if (value !== undefined && value !== null) this.error(key, `must be a string or null, but is ${describe(value)}`);
    return null;
  }

  boolean(key: string, fallback?: boolean): boolean {
    return this.#value(key, 'true or false', (value) => typeof value === 'boolean', fallback, false);
  }

  number(key: string, fallback?: number): number {
    return this.#value(key, 'a number', (value) => Number.isFinite(value), fallback, 0);
  }

  /** An array of strings. A missing or null field is empty. */
  strings(key: string): string[] {
    return this.#array(key).flatMap((item, index) => {
      if (typeof item === 'string') return [item];
      this.error(`${key}[${index}]`, `must be a string, but is ${describe(item)}`);
      return [];
    });
  }

  /** An array of objects, each parsed by `read`. A missing or null field is empty. */
  objects<T>(key: string, read: (reader: DocumentReader) => T): T[] {
    return this.#array(key).flatMap((item, index) => {
      if (isJsonObject(item)) return [read(new DocumentReader(item, this.at(`${key}[${index}]`), this.#problems))];
      this.error(`${key}[${index}]`, `must be an object, but is ${describe(item)}`);
      return [];
    });
  }

  /** A required object. */
  object<T>(key: string, read: (reader: DocumentReader) => T): T {
    const value = this.source[key];
    if (!isJsonObject(value)) this.error(key, `must be an object, but is ${describe(value)}`);
    return read(new DocumentReader(isJsonObject(value) ? value : {}, this.at(key), this.#problems));
  }

  /** `known`, followed by the unknown fields of the source, so that nothing an author wrote is lost. */
  withExtras<T extends object>(known: T): T {
    const extras = Object.entries(this.source).filter(([key]) => !Object.hasOwn(known, key));
    return { ...known, ...Object.fromEntries(extras) };
  }

  #value<T>(key: string, what: string, isValid: (value: unknown) => boolean, fallback: T | undefined, none: T): T {
    const value = roundNumber(this.source[key]);
    if (isValid(value)) return value as T;
    if (fallback !== undefined && (value === undefined || value === null)) return fallback;
    this.error(key, `must be ${what}, but is ${describe(value)}`);
    return fallback ?? none;
  }

  #array(key: string): readonly unknown[] {
    const value = this.source[key];
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.error(key, `must be an array, but is ${describe(value)}`);
    return [];
  }
}
