import type { Problem } from '../../shared/flags/problem.ts';
import type { ErrorAnswer, ErrorCode } from '../api.ts';

/** A request that is not carried out, as it is answered. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly answer: ErrorAnswer['error'];

  /** @param more what the page is told beside the message */
  constructor(code: ErrorCode, message: string, more: Omit<ErrorAnswer['error'], 'code' | 'message'> = {}) {
    super(message);
    this.answer = { code, message, ...more };
  }
}

/** The error of a document with these problems. */
export function invalidDocument(problems: readonly Problem[]): RequestError {
  return new RequestError('invalid-document', 'the document is not valid; nothing was written', { problems });
}
