import { readFileSync } from 'node:fs';
import { parseAllDocuments, type Tags } from 'yaml';
import { decodeText } from '../../shared/command/decodeText.ts';
import { parseExactJson } from '../../shared/flags/exactJson.ts';
import { isNestedDeeper } from '../../shared/flags/nesting.ts';
import { CliError } from '../io.ts';
import { YamlBudget, YamlTooLarge } from './yamlLimits.ts';

/**
 * Maximum nesting of arrays and objects in a file or a value, because readers are recursive. Services write about ten
 * levels.
 */
export const MAX_NESTING = 1_000;

/** The error for a JSON text with more levels. */
export const TOO_DEEP = `nests arrays and objects deeper than ${MAX_NESTING.toLocaleString('en')} levels`;

/** What npm and pnpm print before the output of a script. */
const NPM_LINES = /^\s*> \S+@\S* \S.*\r?\n> /;
const WITHOUT_NPM_LINES =
  'npm has written its lines before the content. Write the file with --output, or with npm run --silent';

/** The content of a JSON file, with numbers as written, and what the content lacks of the file. */
export interface JsonFile extends LostKeys {
  readonly content: unknown;
  /** The text of a YAML file. */
  readonly yaml?: string;
}

/**
 * Reads a JSON file, or a YAML file by its name (`.yaml`, `.yml`).
 *
 * @param explain returns why a text that is not JSON cannot be read, if known
 * @throws {CliError} if it cannot be read, is not JSON, or has more levels than {@link MAX_NESTING}
 */
export function readJson(path: string, explain: (text: string) => string | undefined = () => undefined): JsonFile {
  const text = readText(path);
  const yaml = /\.ya?ml$/i.test(path) ? { content: readYaml(path, text), yaml: text } : undefined;
  if (isNestedDeeper(yaml ? JSON.stringify(yaml.content) : text, MAX_NESTING)) {
    throw new CliError(`${path} ${TOO_DEEP}; flatten the nested values or remove them from the file`);
  }
  // Keys of YAML are repeated in no object, and their order is not known any more.
  if (yaml) return { ...yaml, repeated: [], moved: [] };
  try {
    return { content: parseExactJson(text), ...lostKeys(text) };
  } catch (error) {
    const known = explain(text);
    throw new CliError(known ? `${path}: ${known}` : `${path} cannot be read as JSON: ${(error as Error).message}`);
  }
}

/**
 * The scalars of YAML as flagd and GO Feature Flag read them (Go's yaml.v3): octal numbers, underscores and dates as in YAML 1.1, but
 * `yes` and `on` are text.
 */
export const yamlTags = (tags: Tags): Tags =>
  tags.flatMap((tag) => {
    if (typeof tag === 'string' || !('test' in tag) || !tag.test) return tag;
    if (tag.format === 'TIME') return [];
    if (!tag.tag.endsWith(':bool')) return tag;
    return { ...tag, test: new RegExp(`^(?=[tTfF])${tag.test.source.slice(1)}`) };
  });

/** The documents of a YAML file, each with its errors. It has none if the file is empty. */
export function parseDocuments(text: string, customTags: (tags: Tags) => Tags) {
  return Array.from(
    parseAllDocuments(text, {
      intAsBigInt: true,
      merge: true,
      schema: 'yaml-1.1',
      customTags,
      stringKeys: true,
      // YamlBudget checks them.
      uniqueKeys: false,
    }),
  );
}

/**
 * The content of a YAML file, as of one in JSON. Several documents become the list `documents`. Dates are text.
 *
 * @throws {CliError} if it is no YAML, or aliases make it too large
 */
function readYaml(path: string, text: string, budget = new YamlBudget()): unknown {
  try {
    const contents = parseDocuments(text, yamlTags).map((document) => {
      // A warning is about an unknown tag.
      const [error] = [...document.errors, ...document.warnings];
      if (error) throw error;
      budget.take(document);
      // YamlBudget limits aliases.
      return document.toJS({ maxAliasCount: -1, reviver: asJsonValue }) as unknown;
    });
    const content = contents.filter((each) => each !== null);
    return content.length > 1 ? { documents: content } : (content[0] ?? null);
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof YamlTooLarge && path === '') throw error;
    // The library is recursive.
    if (/call stack/.test(message)) throw new CliError(`${path} nests arrays and objects too deep; flatten them`);
    throw new CliError(`${path} cannot be read as YAML: ${message}`);
  }
}

/** The content of a text in YAML or JSON. @returns an empty list for another text @throws {YamlTooLarge} */
export function parseYaml(text: string, budget: YamlBudget): unknown {
  try {
    return readYaml('', text, budget);
  } catch (error) {
    if (error instanceof YamlTooLarge) throw error;
    return [];
  }
}

/** A value as JSON has it. A long number keeps its digits. */
export function asJsonValue(_: unknown, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().replace(/\.?0*Z$/, 'Z');
  if (typeof value === 'bigint') return parseExactJson(String(value));
  // Values of YAML's tags `!!set`, `!!omap` and `!!binary`.
  const isOther = value instanceof Set || value instanceof Map || value instanceof Uint8Array;
  if (isOther || (typeof value === 'number' && !Number.isFinite(value)))
    throw new Error(`${String(value)} is not a value of JSON`);
  return value;
}

/** Reads a text file in UTF-8 or UTF-16. @throws {CliError} if it cannot be read, or begins with the lines of npm */
export function readText(path: string): string {
  let text: string;
  try {
    text = decodeText(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read: ${message}`);
  }
  if (NPM_LINES.test(text)) throw new CliError(`${path}: ${WITHOUT_NPM_LINES}`);
  return text;
}

/** What `JSON.parse` does not keep of a text, by path. */
interface LostKeys {
  /** Members with the key of a later one in the same object. `JSON.parse` keeps the last. */
  readonly repeated: readonly string[];
  /** Objects whose members change places. JavaScript lists keys that are whole numbers first. */
  readonly moved: readonly string[];
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;
const INDEX = /^(0|[1-9]\d{0,9})$/;

interface Container {
  readonly path: string;
  /** The keys of an object so far. Undefined for an array. */
  readonly keys: Set<string> | undefined;
  /** The key or index of the current member. */
  at: string;
}

/** Finds the keys that `JSON.parse` drops or moves. @param text valid JSON */
export function lostKeys(text: string): LostKeys {
  const repeated = new Set<string>();
  const moved = new Set<string>();
  const containers: Container[] = [];
  let string = '';
  for (const [token] of text.matchAll(TOKENS)) {
    const current = containers.at(-1);
    if (token === '{' || token === '[') {
      const path = current ? memberPath(current) : '';
      containers.push({ path, keys: token === '{' ? new Set() : undefined, at: '0' });
    } else if (token === '}' || token === ']') {
      containers.pop();
    } else if (token === ',') {
      if (current && !current.keys) current.at = String(Number(current.at) + 1);
    } else if (token !== ':') {
      string = token;
    } else if (current?.keys) {
      const key: string = JSON.parse(string);
      const before = current.at;
      current.at = key;
      if (current.keys.has(key)) repeated.add(memberPath(current));
      else if (INDEX.test(key) && current.keys.size > 0 && !(INDEX.test(before) && Number(before) < Number(key))) {
        moved.add(current.path);
      }
      current.keys.add(key);
    }
  }
  return { repeated: [...repeated], moved: [...moved] };
}

function memberPath({ path, keys, at }: Container): string {
  if (!keys) return `${path}[${at}]`;
  return path === '' ? at : `${path}.${at}`;
}
