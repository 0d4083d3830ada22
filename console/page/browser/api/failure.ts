import type { Problem } from '../../../../shared/flags/problem.ts';
import { formatProblem } from '../../../../shared/flags/problem.ts';
import type { ErrorAnswer, ErrorCode, VersionedDocument } from '../../../api.ts';

/** A request that failed; the message says why, and what to do. */
export class RequestFailure extends Error {
  override name = 'RequestFailure';
  readonly code: ErrorCode | 'unreachable';
  /** With `edit-conflict`: what is stored now; null where there is nothing. */
  readonly current: VersionedDocument | null | undefined;

  constructor(code: ErrorCode | 'unreachable', message: string, current?: VersionedDocument | null) {
    super(message);
    this.code = code;
    this.current = current;
  }
}

/** The failure that an answer describes. */
export async function failureOf(response: Response): Promise<RequestFailure> {
  try {
    const { error } = (await response.json()) as ErrorAnswer;
    const missing = error.action ? ` Missing permission: ${error.action}${on(error.resource)}.` : '';
    const problems = error.problems?.length ? ` ${listOf(error.problems)}` : '';
    return new RequestFailure(error.code, `${error.message}${problems}${missing}`, error.current);
  } catch {
    return new RequestFailure('internal-error', `The console answered with status ${response.status}.`);
  }
}

/** What went wrong, as one text. */
export function messageOf(error: unknown): string {
  return sentence(error instanceof Error ? error.message : String(error));
}

/** A message as a sentence of its own: it begins with a capital letter. */
export function sentence(message: string): string {
  return message.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

function on(resource: string | undefined): string {
  return resource ? ` on ${resource}` : '';
}

function listOf(problems: readonly Problem[]): string {
  return problems.map(formatProblem).join('; ');
}
