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

/** Makes a failure. */
export function failure(reason: InvokeFailure['reason'], errorType: string, errorMessage: string): InvokeFailure {
  return { ok: false, reason, errorType, errorMessage };
}

/** The failure for status 429. */
export function throttled(reason: ThrottleReason): InvokeFailure {
  return failure('throttled', 'TooManyRequestsException', `Rate Exceeded: ${reason}`);
}

/** The failure for a service without a permission in the function's policy. */
export function notPermitted({ service }: Invoker, functionArn: string): InvokeFailure {
  const text = `User: ${service} is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn}`;
  return failure('failed', 'AccessDeniedException', text);
}

/** The failure for a chain that has called the function too often. */
export function recursive(functionName: string): InvokeFailure {
  return failure(
    'failed',
    'RecursiveInvocationException',
    `Lambda detected a recursive loop that calls ${functionName}`,
  );
}

/** The failure for a caller that stops waiting. The invocation continues. */
export function unanswered(afterMs: number): InvokeFailure {
  return failure('unanswered', 'CallerGaveUp', `No answer within ${(afterMs / 1000).toFixed(2)} seconds`);
}
