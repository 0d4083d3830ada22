import type { CompiledFlag } from '../evaluation/flag.ts';
import { isJsonObject, type JsonObject } from '../flags/reader.ts';
import { field, parseUser, type User } from '../flags/user.ts';

/** A request of the evaluate endpoint. */
export interface EvaluateRequest {
  readonly user: User;
  /** Whether a flag is asked for. */
  readonly includes: (flag: CompiledFlag) => boolean;
}

/** An evaluated flag as that endpoint gives it. */
export interface EvaluatedFlag {
  readonly key: string;
  readonly variation: {
    readonly id: string | null;
    readonly type: string;
    readonly value: string | null;
    readonly matchReason: string;
    readonly sendToExperiment: boolean;
  };
}

/**
 * Reads an evaluate request: a user, and perhaps a filter by keys, tags (`and`: all of them, `or`: any) and age.
 *
 * @returns the message FeatBit answers when it is not valid
 */
export function parseEvaluateRequest(value: unknown): EvaluateRequest | string {
  const root: JsonObject = isJsonObject(value) ? value : {};
  const user = parseUser(field(root, 'user'));
  if (!user) return 'A valid user is required.';
  const filterValue = field(root, 'filter');
  const filter: JsonObject = isJsonObject(filterValue) ? filterValue : {};
  const mode = field(filter, 'tagFilterMode') ?? 'and';
  if (mode !== 'and' && mode !== 'or')
    return `Invalid tag filter mode: ${typeof mode === 'object' ? 'not text' : String(mode)}`;

  const keys = textsOf(filter, 'keys');
  const tags = textsOf(filter, 'tags');
  const timestamp = field(filter, 'timestamp');
  return {
    user,
    includes: ({ document, updatedAt }: CompiledFlag) => {
      const has = (tag: string) => document.tags.includes(tag);
      return (
        (keys.length === 0 || keys.includes(document.key)) &&
        (tags.length === 0 || (mode === 'and' ? tags.every(has) : tags.some(has))) &&
        (typeof timestamp !== 'number' || updatedAt > timestamp)
      );
    },
  };
}

/** Evaluates one flag for the evaluate endpoint. */
export function evaluateFlag(flag: CompiledFlag, user: User): EvaluatedFlag {
  const { variationId, value, reason, sendToExperiment } = flag.evaluate(user);
  const type = flag.document.variationType;
  return { key: flag.document.key, variation: { id: variationId, type, value, matchReason: reason, sendToExperiment } };
}

function textsOf(source: JsonObject, name: string): string[] {
  const value = field(source, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
