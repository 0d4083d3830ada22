import {
  ErrorCode,
  type EvaluationContext,
  type FlagMetadata,
  type FlagValue,
  type ResolutionDetails,
  StandardResolutionReasons,
} from '@openfeature/server-sdk';
import type { CompiledFlag } from '../shared/evaluation/flag.ts';
import { Outcome } from '../shared/evaluation/outcome.ts';
import { keepsDigits, parseLongNumbers } from '../shared/flags/exactJson.ts';
import type { User } from '../shared/flags/user.ts';
import { comparableValue, type VariationType } from '../shared/flags/variationValue.ts';
import { metadataOf, type OfrepFailure, outcomeOrFailure, servedValue, userOf } from '../shared/protocol/ofrep.ts';

/** What an outcome gives all callers. */
interface Served {
  /** As JSON. Absent if callers use the default in their code. */
  readonly json: string | undefined;
  readonly details: ResolutionDetails<unknown>;
}

/** Many users share an outcome, which lives as long as its flag. */
const servedBy = new WeakMap<Outcome, Served>();

/**
 * The user in a context, as OFREP's clients send it and its endpoint reads it: as JSON.
 *
 * @returns a failure for a context that is not valid
 */
export function readUser(context: EvaluationContext): User | OfrepFailure {
  try {
    for (const name in context) if (!isKeptByJson(context[name])) return userOf(JSON.parse(JSON.stringify(context)));
    return userOf(context);
  } catch (error) {
    return { errorCode: 'INVALID_CONTEXT', errorDetails: `the context is not JSON: ${(error as Error).message}` };
  }
}

function isKeptByJson(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/**
 * Evaluates a flag for a user, with OFREP's answers. Where OFREP has no reason but `UNKNOWN`, OpenFeature has `DEFAULT`.
 *
 * @param onRounded called for a value with numbers that a double rounds; `flagMetadata.exactValue` has it as text
 */
export function resolve<T extends FlagValue>(
  flag: CompiledFlag,
  user: User,
  defaultValue: T,
  onRounded: (exactValue: string) => void,
): ResolutionDetails<T> {
  const outcome = outcomeOrFailure(flag, user);
  if (!(outcome instanceof Outcome)) return failed(defaultValue, outcome);
  if (outcome.cause === 'archived') return notFound(flag.document.key, defaultValue);
  let served = servedBy.get(outcome);
  if (!served) {
    const answer = serve(flag, outcome, onRounded);
    if ('errorCode' in answer) return failed(defaultValue, answer);
    served = answer;
    servedBy.set(outcome, served);
  }
  const { json, details } = served;
  if (json === undefined) return { ...details, value: defaultValue };
  const given = typeof details.value;
  if (given !== typeof defaultValue) {
    const errorDetails = `flag "${flag.document.key}" has a value of type ${given}, not ${typeof defaultValue}`;
    const mismatch = failed(defaultValue, { errorCode: ErrorCode.TYPE_MISMATCH, errorDetails });
    return details.variant === undefined ? mismatch : { ...mismatch, variant: details.variant };
  }
  // The caller may change an object.
  return (given === 'object' ? { ...details, value: JSON.parse(json) } : details) as ResolutionDetails<T>;
}

/** The answer for a flag that does not exist. */
export function notFound<T>(key: string, defaultValue: T): ResolutionDetails<T> {
  return failed(defaultValue, { errorCode: ErrorCode.FLAG_NOT_FOUND, errorDetails: `there is no flag "${key}"` });
}

/** The answer with the default in the code, and why. */
export function failed<T>(
  value: T,
  { errorCode, errorDetails }: { readonly errorCode: `${ErrorCode}`; readonly errorDetails: string },
): ResolutionDetails<T> {
  const reason = StandardResolutionReasons.ERROR;
  return { value, reason, errorCode: errorCode as ErrorCode, errorMessage: errorDetails };
}

function serve(flag: CompiledFlag, outcome: Outcome, onRounded: (exactValue: string) => void): Served | OfrepFailure {
  const served = servedValue(flag, outcome);
  if ('errorCode' in served) return served;
  const { value: json, variant } = served;
  const reason = served.reason === 'UNKNOWN' ? StandardResolutionReasons.DEFAULT : served.reason;
  const flagMetadata: FlagMetadata = metadataOf(flag, outcome);
  if (json !== undefined && isRounded(flag.document.variationType, json)) {
    flagMetadata['exactValue'] = json;
    onRounded(json);
  }
  const value = json === undefined ? undefined : JSON.parse(json);
  return { json, details: { value, reason, flagMetadata, ...(variant === undefined ? {} : { variant }) } };
}

/** Whether numbers of a value lose digits as doubles. */
function isRounded(type: VariationType, json: string): boolean {
  if (type === 'number') return comparableValue(type, json) !== comparableValue(type, String(Number(json)));
  if (type !== 'json') return false;
  return !keepsDigits(json) || JSON.stringify(parseLongNumbers(json)) !== JSON.stringify(JSON.parse(json));
}
