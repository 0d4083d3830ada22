/** The result of an invocation. A failure has the error that Lambda reports, and no content of the event. */
export type InvokeResult = { readonly ok: true; readonly payload: unknown } | InvokeFailure;

/**
 * An invocation without an answer: the function `failed` or used up its time, its caller gave up and left it `unanswered`,
 * or it was `throttled`, which means not started at all.
 */
interface InvokeFailure {
  readonly ok: false;
  readonly reason: 'failed' | 'unanswered' | 'throttled';
  readonly errorType: string;
  readonly errorMessage: string;
}

/** Makes a failure. */
export function failure(reason: InvokeFailure['reason'], errorType: string, errorMessage: string): InvokeFailure {
  return { ok: false, reason, errorType, errorMessage };
}
