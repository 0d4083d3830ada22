import { InvalidInput } from '../../shared/flags/invalidInput.ts';
import type { Problem } from '../../shared/flags/problem.ts';
import { GuardRefused, PlanRefused } from '../../shared/plans/newPlan.ts';
import { describeStoreError } from '../../shared/store/table/describeStoreError.ts';
import {
  Conflict,
  DocumentTooLarge,
  InvalidDocument,
  NotFound,
  StoreError,
  Throttled,
} from '../../shared/store/table/errors.ts';
import { missingPermission } from '../../shared/store/table/permission.ts';
import type { ErrorAnswer, ErrorCode } from '../errors.ts';

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

const CODES: readonly (readonly [new (message: string) => Error, ErrorCode])[] = [
  [NotFound, 'not-found'],
  [GuardRefused, 'guard-refused'],
  [PlanRefused, 'conflict'],
  [Conflict, 'conflict'],
  [Throttled, 'table-unavailable'],
  [DocumentTooLarge, 'document-too-large'],
  [InvalidDocument, 'invalid-document'],
  [InvalidInput, 'bad-request'],
  // Invalid names and numbers.
  [StoreError, 'bad-request'],
];

/** Names of AWS errors and codes of socket errors. Other errors are internal. */
const UNAVAILABLE =
  /Credentials|ExpiredToken|UnrecognizedClient|InvalidClientTokenId|InternalFailure|InternalServerError|ServiceUnavailable|InvalidSignature|ResourceNotFound|AccessDenied|Throughput|Throttling|RequestLimit|Timeout|ECONN|ENOTFOUND|EAI_AGAIN|Region is missing/;

/** Converts an error to an answer. */
export function answerTo(error: unknown): ErrorAnswer['error'] {
  if (error instanceof RequestError) return error.answer;
  const message = describeStoreError(error);
  const missing = missingPermission(error);
  if (missing) return { code: 'permission-missing', message, ...missing };
  const known = CODES.find(([type]) => error instanceof type);
  if (known) return { code: known[1], message };
  const { name = '', code = '' } = error as { name?: string; code?: string };
  if (UNAVAILABLE.test(`${name} ${code} ${message}`)) return { code: 'table-unavailable', message };
  return { code: 'internal-error', message: 'the console failed; its log in the terminal or in CloudWatch says more' };
}
