import type { CompiledFlag } from '../evaluation/flag.ts';
import { roundNumber } from '../flags/exactJson.ts';
import { isJsonObject, type JsonObject } from '../flags/reader.ts';
import { field, parseUser, type User } from '../flags/user.ts';

/** Maximum number of keys, and of tags, in a filter. */
export const FILTER_LIMIT = 10_000;

/** A request of the evaluate endpoint. */
interface EvaluateRequest {
  readonly user: User;
  /** Whether the filter includes a flag. */
  readonly includes: (flag: CompiledFlag) => boolean;
  /** The key of the only flag that the filter names. Absent if other filters apply, or if it names several. */
  readonly onlyKey?: string;
}

/**
 * Parses an evaluate request: a user, and an optional filter by keys, tags and age. Tags match with `and` (all of them,
 * the default) or `or` (any).
 *
 * @returns the error message for an invalid request; FeatBit's message, if it has one. What FeatBit's server cannot read as its
 * own types is invalid: it reads a timestamp from text too, and takes `null` for a missing member or word
 */
export function parseEvaluateRequest(value: unknown): EvaluateRequest | string {
  const root: JsonObject = isJsonObject(value) ? value : {};
  const user = parseUser(field(root, 'user'));
  if (!user) return 'A valid user is required.';
  const filter = field(root, 'filter') ?? {};
  if (!isJsonObject(filter)) return 'filter must be an object';
  const said = field(filter, 'tagFilterMode') ?? '';
  const mode = said === '' ? 'and' : said;
  if (mode !== 'and' && mode !== 'or')
    return `Invalid tag filter mode: ${typeof mode === 'object' ? 'not text' : String(mode)}. Valid values are 'and' or 'or'.`;

  for (const name of ['keys', 'tags']) {
    const list = field(filter, name) ?? [];
    if (!Array.isArray(list) || list.some((item) => item !== null && typeof item !== 'string'))
      return `filter.${name} must be a list of texts`;
    if (list.length > FILTER_LIMIT) return `A filter can have at most ${FILTER_LIMIT} ${name}, but has ${list.length}.`;
  }
  const keys = textsOf(filter, 'keys');
  const tags = textsOf(filter, 'tags');
  // A flag has few tags; the filter may have FILTER_LIMIT.
  const countTags = (own: readonly string[]) => new Set(own.filter((tag) => tags.has(tag))).size;
  const timestamp = wholeNumber(roundNumber(field(filter, 'timestamp') ?? undefined));
  if (timestamp === 'invalid') return 'filter.timestamp must be a whole number of unix milliseconds';
  const [onlyKey] = keys;
  const isOnly = keys.size === 1 && tags.size === 0 && timestamp === undefined;
  return {
    user,
    ...(isOnly && onlyKey !== undefined ? { onlyKey } : {}),
    includes: ({ document, updatedAt }: CompiledFlag) =>
      (keys.size === 0 || keys.has(document.key)) &&
      (tags.size === 0 || countTags(document.tags) >= (mode === 'and' ? tags.size : 1)) &&
      (timestamp === undefined || updatedAt > timestamp),
  };
}

/** Evaluates one flag, for the response of the evaluate endpoint. */
export function evaluateFlag(flag: CompiledFlag, user: User) {
  const { variationId, value, reason, sendToExperiment } = flag.evaluate(user);
  const type = flag.document.variationType;
  return { key: flag.document.key, variation: { id: variationId, type, value, matchReason: reason, sendToExperiment } };
}

function textsOf(source: JsonObject, name: string): ReadonlySet<string> {
  const value = field(source, name);
  return new Set(Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);
}

function wholeNumber(value: unknown): number | undefined | 'invalid' {
  if (value === undefined) return value;
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : 'invalid';
}
