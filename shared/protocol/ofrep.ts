import { KeyIdMissing } from '../evaluation/attribute.ts';
import type { CompiledFlag } from '../evaluation/flag.ts';
import { Outcome } from '../evaluation/outcome.ts';
import { ExactNumber } from '../flags/exactJson.ts';
import type { Flag } from '../flags/flag.ts';
import { MAX_NESTING } from '../flags/nesting.ts';
import { describe, isJsonObject, type JsonObject } from '../flags/reader.ts';
import { isBlank, type User } from '../flags/user.ts';
import { valueJson } from '../flags/variationValue.ts';

/** Why an OFREP evaluation has no value. The codes are OpenFeature's. */
export interface OfrepFailure {
  readonly errorCode: 'PARSE_ERROR' | 'TARGETING_KEY_MISSING' | 'INVALID_CONTEXT' | 'FLAG_NOT_FOUND';
  /** A message for developers. */
  readonly errorDetails: string;
}

/** Why one flag has no value. */
type FlagFailure = OfrepFailure & { readonly key: string };

/** The response for one flag. */
interface OfrepAnswer {
  /** A successful evaluation or an error, as JSON. */
  readonly json: string;
  readonly isFailure: boolean;
  /** Null for a flag without a variation for the user. */
  readonly variationId: string | null;
}

/**
 * Parses the user from an evaluation request of the OpenFeature Remote Evaluation Protocol 0.3.0. `targetingKey` is the
 * key id, empty if missing or blank, and `name` the name. All other fields are custom attributes. Null means absent
 * (docs/decisions/0020-ofrep.md).
 *
 * @param body undefined if it was not JSON, or nested deeper than {@link MAX_NESTING}
 */
export function parseOfrepRequest(body: unknown): User | OfrepFailure {
  if (!isJsonObject(body)) {
    const errorDetails = `the body must be a JSON object that holds a context, nested up to ${MAX_NESTING} levels`;
    return { errorCode: 'PARSE_ERROR', errorDetails };
  }
  // The specification does not require a context.
  const context = own(body, 'context') ?? {};
  if (!isJsonObject(context)) return invalid(`context must be an object, but is ${describe(context)}`);
  return userOf(context);
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** The user in a context of OpenFeature. See {@link parseOfrepRequest}. */
export function userOf(context: JsonObject): User | OfrepFailure {
  const keyId = own(context, 'targetingKey') ?? '';
  if (typeof keyId !== 'string') return invalid(`targetingKey must be a string, but is ${describe(keyId)}`);
  let attributes: Map<string, string> | undefined;
  let name: string | null = null;
  // One pass: in a process, this takes most of the time of an evaluation.
  for (const attribute of Object.keys(context)) {
    const value = context[attribute];
    if (value === null || attribute === 'targetingKey') continue;
    if (attribute === 'name') name = textOf(value);
    else {
      attributes ??= new Map();
      attributes.set(attribute, textOf(value));
    }
  }
  return { keyId: isBlank(keyId) ? '' : keyId, name, attributes: attributes ?? NO_ATTRIBUTES };
}

/** The response to an invalid context. */
export function invalid(errorDetails: string): OfrepFailure {
  return { errorCode: 'INVALID_CONTEXT', errorDetails };
}

/** The response for a flag that does not exist. */
export function flagNotFound(key: string): FlagFailure {
  return { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `there is no flag "${key}"` };
}

/**
 * Evaluates one flag for a user, for a request of this flag alone.
 *
 * @returns undefined for an archived flag, which does not exist for clients
 */
export function ofrepAnswer(flag: CompiledFlag, user: User): OfrepAnswer | FlagFailure | undefined {
  const outcome = outcomeOrFailure(flag, user);
  if (!(outcome instanceof Outcome)) return outcome;
  if (outcome.cause === 'archived') return undefined;
  return answer(flag, outcome, metadataOf(flag, outcome));
}

/** The metadata of an evaluation of one flag. */
export function metadataOf({ document, updatedAt }: CompiledFlag, outcome: Outcome) {
  const variationName = document.variations.find(({ id }) => id === outcome.variationId)?.name;
  return {
    ...(variationName === undefined ? {} : { variationName }),
    matchReason: outcome.reason,
    sendToExperiment: outcome.sendToExperiment,
    version: String(updatedAt),
  };
}

/**
 * Evaluates one flag for a user, for a request of all flags. The metadata has `sendToExperiment` only, and only when it
 * is false: all metadata would double the size of the response.
 *
 * @returns JSON, or undefined for an archived flag
 */
export function ofrepSummary(flag: CompiledFlag, user: User): string | undefined {
  const outcome = outcomeOrFailure(flag, user);
  if (!(outcome instanceof Outcome)) return JSON.stringify(outcome);
  if (outcome.cause === 'archived') return undefined;
  let json = summaries.get(outcome);
  if (json === undefined) {
    json = answer(flag, outcome, outcome.sendToExperiment ? undefined : { sendToExperiment: false }).json;
    summaries.set(outcome, json);
  }
  return json;
}

/** Evaluates a flag for a user. */
export function outcomeOrFailure(flag: CompiledFlag, user: User): Outcome | FlagFailure {
  try {
    return flag.evaluate(user);
  } catch (error) {
    if (!(error instanceof KeyIdMissing)) throw error;
    const { key } = flag.document;
    const errorDetails = `flag "${key}" needs the targeting key for this context; set a targetingKey that is not blank`;
    return { key, errorCode: 'TARGETING_KEY_MISSING', errorDetails };
  }
}

/** Many users share an outcome, which lives as long as its snapshot. */
const summaries = new WeakMap<Outcome, string>();

function answer(flag: CompiledFlag, outcome: Outcome, metadata: JsonObject | undefined): OfrepAnswer {
  const { variationId } = outcome;
  const served = servedValue(flag, outcome);
  if ('errorCode' in served) return { json: JSON.stringify(served), isFailure: true, variationId };
  const { reason, variant, value } = served;
  const json = JSON.stringify({ key: flag.document.key, reason, variant, metadata });
  // The text is inserted unchanged, so that `1.0` stays `1.0`.
  return {
    json: value === undefined ? json : `${json.slice(0, -1)},"value":${value}}`,
    isFailure: false,
    variationId,
  };
}

/** What clients get of an outcome. */
interface ServedValue {
  readonly reason: string;
  /** The variation's id. Absent for a flag without a variation for the user. */
  readonly variant: string | undefined;
  /** As JSON. Absent if the client uses the default in its code. */
  readonly value: string | undefined;
}

/** The value of an outcome, or why it has none. */
export function servedValue({ document }: CompiledFlag, outcome: Outcome): ServedValue | FlagFailure {
  const { key, variationType } = document;
  const variation = document.variations.find(({ id }) => id === outcome.variationId);
  const value = variation && valueJson(variationType, variation.value);
  if (variation && value === undefined) {
    const errorDetails = `the value of variation "${variation.id}" is not of the flag's type, ${variationType}`;
    return { key, errorCode: 'PARSE_ERROR', errorDetails };
  }
  const isGiven = value !== undefined && value !== 'null';
  const reason = isGiven ? reasonOf(outcome, document) : 'DISABLED';
  return { reason, variant: variation?.id, value: isGiven ? value : undefined };
}

/**
 * The reason of an evaluation with a value. OFREP has five reasons. None of them means "no rule matched", for which
 * OpenFeature uses DEFAULT.
 *
 * A flag that is off does not report `DISABLED`. Go's provider (v0.1.7, internal/evaluate/flags.go) would then ignore
 * the value and return the default in the code. A flag with the default `true` would be on while it is off.
 */
function reasonOf({ cause }: Outcome, { rules, targetUsers }: Flag): string {
  if (cause === 'disabled') return 'STATIC';
  if (cause === 'target' || cause === 'rule') return 'TARGETING_MATCH';
  if (cause === 'split') return 'SPLIT';
  return rules.length === 0 && targetUsers.length === 0 ? 'STATIC' : 'UNKNOWN';
}

/** An attribute as conditions compare it. A list or an object becomes its JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function own(source: JsonObject, name: string): unknown {
  return Object.hasOwn(source, name) ? source[name] : undefined;
}
