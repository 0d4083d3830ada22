import type { Problem } from '../../shared/flags/problem.ts';
import type { ErrorAnswer, ErrorCode } from '../api.ts';

/** A refused request, with its answer. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly answer: ErrorAnswer['error'];

  /** @param more other fields of the answer */
  constructor(code: ErrorCode, message: string, more: Omit<ErrorAnswer['error'], 'code' | 'message'> = {}) {
    super(message);
    this.answer = { code, message, ...more };
  }
}

/** The error of an invalid document. */
export function invalidDocument(problems: readonly Problem[]): RequestError {
  return new RequestError('invalid-document', 'the document is not valid; nothing was written', { problems });
}
