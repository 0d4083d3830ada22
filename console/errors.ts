import type { Problem } from '../shared/flags/problem.ts';
import type { VersionedDocument } from './api.ts';

/** The answer to a request that failed. */
export interface ErrorAnswer {
  readonly error: {
    readonly code: ErrorCode;
    /** Names the cause, the object and the next step. */
    readonly message: string;
    /** With `invalid-document`. */
    readonly problems?: readonly Problem[];
    /** With `edit-conflict`: the stored document, or null. */
    readonly current?: VersionedDocument | null;
    /** With `permission-missing`: the AWS action, such as `dynamodb:PutItem`, and the resource. */
    readonly action?: string;
    readonly resource?: string;
  };
}

/** Error codes, with their HTTP status. */
export const ERROR_STATUS = {
  /** The request is not in `Requests`. */
  'bad-request': 400,
  /** The token is missing or has expired. */
  'token-required': 401,
  /** Nobody is signed in, or the session has ended. */
  'sign-in-required': 401,
  /** The session is that of another person than the page's. */
  'other-person': 401,
  /** The person who is signed in lacks the right. */
  'no-access': 403,
  /** The request comes from a page of another site, or uses another name of this machine. */
  'foreign-origin': 403,
  /** The operator's AWS credentials lack a permission. */
  'permission-missing': 403,
  'not-found': 404,
  'edit-conflict': 409,
  /** A name is taken, or a change cannot be undone. */
  conflict: 409,
  /** An alarm does not exist, is in ALARM or cannot be read. */
  'guard-refused': 409,
  'body-too-large': 413,
  /** A document that the table cannot hold. */
  'document-too-large': 413,
  'json-required': 415,
  'invalid-document': 422,
  /** The environment is marked as production, and `confirm` is missing. */
  'confirmation-required': 428,
  /** The environment requires a remark. */
  'reason-required': 428,
  /** Too many concurrent streams or requests. */
  'too-many-requests': 429,
  'internal-error': 500,
  /** The identity provider does not answer. */
  'provider-unavailable': 503,
  /** The table does not answer or throttles, or there are no credentials. */
  'table-unavailable': 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;
