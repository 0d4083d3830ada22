import { formatProblem } from '../../../../shared/flags/problem.ts';
import type { VersionedDocument } from '../../../api.ts';
import type { ErrorAnswer, ErrorCode } from '../../../errors.ts';

/** A failed request. The message names the cause and the next step. */
export class RequestFailure extends Error {
  override name = 'RequestFailure';
  readonly code: ErrorCode | 'unreachable' | 'late';
  /** With `edit-conflict`: the stored document, or null. */
  readonly current: VersionedDocument | null | undefined;

  constructor(code: RequestFailure['code'], message: string, current?: VersionedDocument | null) {
    super(message);
    this.code = code;
    this.current = current;
  }
}

/** Reads the failure from an answer. */
export async function failureOf(response: Response): Promise<RequestFailure> {
  try {
    const { error } = (await response.json()) as ErrorAnswer;
    const missing = error.action
      ? ` Missing permission: ${error.action}${error.resource ? ` on ${error.resource}` : ''}.`
      : '';
    const problems = error.problems?.length ? ` ${error.problems.map(formatProblem).join('; ')}` : '';
    return new RequestFailure(error.code, `${error.message}${problems}${missing}`, error.current);
  } catch {
    return new RequestFailure('internal-error', `The console answered with status ${response.status}.`);
  }
}

/** The message of an error, as one text. */
export function messageOf(error: unknown): string {
  return sentence(error instanceof Error ? error.message : String(error));
}

/** Capitalizes a message. */
export function sentence(message: string): string {
  return message.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
