import type { ThrottleReason } from './concurrency.ts';
import type { Invoker } from './permissions.ts';

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

/** The failure for status 429. */
export function throttled(reason: ThrottleReason): InvokeFailure {
  return {
    ok: false,
    reason: 'throttled',
    errorType: 'TooManyRequestsException',
    errorMessage: `Rate Exceeded: ${reason}`,
  };
}

/** The failure for a service without a permission in the function's policy. */
export function notPermitted({ service }: Invoker, functionArn: string): InvokeFailure {
  const errorMessage = `User: ${service} is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn}`;
  return { ok: false, reason: 'failed', errorType: 'AccessDeniedException', errorMessage };
}

/** The failure for a chain that has called the function too often. */
export function recursive(functionName: string): InvokeFailure {
  const errorMessage = `Lambda detected a recursive loop that calls ${functionName}`;
  return { ok: false, reason: 'failed', errorType: 'RecursiveInvocationException', errorMessage };
}

/** The failure for a caller that stops waiting. The invocation continues. */
export function unanswered(afterMs: number): InvokeFailure {
  const errorMessage = `No answer within ${(afterMs / 1000).toFixed(2)} seconds`;
  return { ok: false, reason: 'unanswered', errorType: 'CallerGaveUp', errorMessage };
}
