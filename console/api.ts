import type { Document } from '../shared/flags/document.ts';
import type { Problem } from '../shared/flags/problem.ts';
import type { GuardChoice } from '../shared/plans/newPlan.ts';
import type { SecretType } from '../shared/protocol/secret.ts';
import type { Attention } from './attention.ts';
import type { BatchEdit } from './flagBatch.ts';
import type { ChangeReceipt, HistoryPage, HistoryQuery, ReceiptQuery } from './history.ts';
import type { LiveLine } from './live.ts';
import type { PlanOperation, PlanQuery, ShownPlan } from './plans.ts';
import type { ShownUsage, UsageQuery } from './usage.ts';

/** Path of the page. The terminal prints it with `#token=…`. */
export const PAGE_PATH = '/console/';
/** Path of {@link Requests}. */
export const API_PATH = '/console/api/';
/** Header with the token from the printed address. */
export const TOKEN_HEADER = 'x-console-token';
/** Maximum size of a request body, in bytes. Documents have a lower limit (`DOCUMENT_LIMIT_BYTES`, compressed). */
export const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** Maximum number of documents in one copy. */
export const COPY_DOCUMENTS = 80;

/**
 * The requests of the page, by method and path, with answer, body and query as JSON. `:env` is an environment's id,
 * `:secret` a secret's, `:plan` a plan's. Errors are an {@link ErrorAnswer}. {@link StreamRequest} is not included:
 * its answer is a stream of lines.
 */
export interface Requests {
  'GET context': Request<Context>;
  'GET environments': Request<readonly EnvironmentName[]>;
  /** 409 if the name is taken. */
  'POST environments': Request<CreatedEnvironment, { readonly name: string }>;
  'GET environments/:env': Request<EnvironmentContent>;
  /** Missing fields do not change. */
  'PATCH environments/:env': Request<
    EnvironmentSettings,
    {
      readonly name?: string;
      readonly isProduction?: boolean;
      readonly requiresReason?: boolean;
      readonly historyDays?: number;
    } & Confirmation
  >;
  /**
   * Writes or deletes one flag or segment. 409 with `current` if the stored version differs from `expectedVersion`,
   * 422 with `problems` if the document is invalid.
   */
  'PUT environments/:env/document': Request<WriteResult, ExpectedDocument & Remark & Confirmation>;
  /** Writes copied flags, and the segments that they need, as one change. Errors as above. */
  'POST environments/:env/copy': Request<
    WriteResult,
    {
      /** The name of the other environment, for the history. */
      readonly from: string;
      /** At most {@link COPY_DOCUMENTS}. */
      readonly documents: readonly ExpectedDocument[];
    } & Remark &
      Confirmation
  >;
  /**
   * Edits at most `FLAGS_AT_ONCE` flags. The answer names flags whose version differs from `expectedVersion`; they
   * are not written.
   */
  'PATCH environments/:env/flags': Request<
    BatchResult,
    {
      readonly edit: BatchEdit;
      readonly flags: readonly { readonly key: string; readonly expectedVersion: number }[];
    } & Remark &
      Confirmation
  >;
  /** Problems other than those of flags and segments. */
  'GET environments/:env/attention': Request<Attention>;
  /** Newest first. */
  'GET environments/:env/history': Request<HistoryPage, undefined, HistoryQuery>;
  /** Flags and segments at a past time. 404 if the history does not contain it. */
  'GET environments/:env/past': Request<PastContent, undefined, { readonly at: number }>;
  /** Reads all connections of the environment: 0.08 read units each. */
  'GET environments/:env/receipt': Request<ChangeReceipt, undefined, ReceiptQuery>;
  /** Evaluations of one flag. */
  'GET environments/:env/usage': Request<ShownUsage, undefined, UsageQuery>;
  /** 409 if it would lose a later change. */
  'POST environments/:env/undo': Request<WriteResult, { readonly version: number } & Remark & Confirmation>;
  /** Oldest first. Plans of one flag or segment include those that ended in the last 30 days. */
  'GET environments/:env/plans': Request<Plans, undefined, PlanQuery>;
  /**
   * Stores an edit as a plan, as `PUT environments/:env/document` writes it. No plans in the answer: it changes nothing. 409 with
   * `guard-refused` if an alarm cannot guard it.
   */
  'POST environments/:env/plans': Request<
    Plans,
    ExpectedDocument & { readonly at: PlannedTime } & GuardChoice & Remark & Confirmation
  >;
  /** Stores a gradual rollout. Steps at `now` are applied at once. Guards as above. */
  'POST environments/:env/rollouts': Request<
    Plans,
    {
      readonly flag: string;
      readonly variationId: string;
      /** `share` of all users, in [0,1]. */
      readonly steps: readonly { readonly share: number; readonly at: PlannedTime }[];
    } & GuardChoice &
      Remark &
      Confirmation
  >;
  /** No plan in the answer to `resume`: it is not paused. 409 with `guard-refused` while the guard that paused it is in ALARM. */
  'POST environments/:env/plans/:plan': Request<Plans, { readonly operation: PlanOperation } & Confirmation>;
  'POST environments/:env/secrets': Request<
    IssuedSecret,
    { readonly name: string; readonly type: SecretType } & Confirmation
  >;
  /** The old secret keeps working for `graceMs`, at most 30 days. */
  'POST environments/:env/secrets/:secret/rotate': Request<IssuedSecret, { readonly graceMs: number } & Confirmation>;
  'POST environments/:env/secrets/:secret/revoke': Request<Secret, Confirmation>;
}

/** `GET environments/:env/live` answers with one JSON line per event. An empty line is a keep-alive. */
export type { LiveLine };

interface Request<Answer, Body = undefined, Query = undefined> {
  readonly answer: Answer;
  readonly body: Body;
  readonly query: Query;
}

/** The environment's id. Required in production (428 without). */
interface Confirmation {
  readonly confirm?: string;
}

/** As `parsePlannedTime` reads it. */
type PlannedTime = string;

interface Plans {
  readonly plans: readonly ShownPlan[];
}

/** A document to write and the version that it replaces. */
export interface ExpectedDocument {
  /** `envId` and `updatedAt` are ignored. */
  readonly document: Document;
  /** The version that was edited. Null for a new document, or one that replaces a deleted document. */
  readonly expectedVersion: number | null;
}

/**
 * The reason for a change, for the history; at most 200 characters. Required (428 without) if the environment's
 * settings say so.
 */
interface Remark {
  readonly remark?: string;
}

/** The table that the console shows, and its operator. */
export interface Context {
  /** Of Flagwire. */
  readonly version: string;
  /** Set if the deployed service has another version. */
  readonly versionWarning?: string;
  /** `local`: npm start on this machine. */
  readonly mode: 'local' | 'aws';
  readonly table: string;
  readonly region: string;
  /** Address for SDKs, without a path. Undefined if unknown. */
  readonly streamingUrl?: string;
  readonly httpUrl?: string;
  /** The operator in the history: AWS identity if known, user and machine. */
  readonly by: string;
}

export interface EnvironmentName {
  /** A GUID in lower case. */
  readonly id: string;
  readonly name: string;
  readonly isProduction: boolean;
}

export interface EnvironmentSettings extends EnvironmentName {
  /** ISO 8601. */
  readonly createdAt: string;
  /** True if changes of flags and segments need a remark. */
  readonly requiresReason: boolean;
  /** Retention of the history, in days. */
  readonly historyDays: number;
}

/** A new environment with its first two secrets. Their values are shown once. */
interface CreatedEnvironment {
  readonly environment: EnvironmentSettings;
  readonly secrets: readonly IssuedSecret[];
}

/** All documents of an environment at one version, with archived and deleted ones. */
export interface EnvironmentContent {
  readonly environment: EnvironmentSettings;
  /** Version of the newest document, or 0. A {@link LiveLine} reports later ones. */
  readonly version: number;
  readonly documents: readonly VersionedDocument[];
  /** Documents of the table that cannot be parsed. SDKs do not receive them. */
  readonly unreadable: readonly UnreadableDocument[];
  readonly secrets: readonly Secret[];
  /** The change that imported documents which are older than the environment. */
  readonly imports: readonly Import[];
}

/** A change that wrote documents with their original versions. */
export interface Import {
  /** It wrote the versions after `previous`, up to and including `version`. */
  readonly previous: number;
  readonly version: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly command: string;
}

/** Readable documents of an environment at a past time, including deleted ones. */
export interface PastContent {
  /** Unix milliseconds. 0 if the time is before the first change. */
  readonly version: number;
  readonly documents: readonly VersionedDocument[];
}

/** A flag or a segment with its version: unix milliseconds, unique in its environment. */
export type VersionedDocument = Document & { readonly version: number };

export interface UnreadableDocument {
  readonly kind: Document['kind'];
  readonly id: string;
  readonly version: number;
  readonly problems: readonly Problem[];
}

export interface Secret {
  readonly id: string;
  readonly name: string;
  readonly type: SecretType;
  /** Its first characters. */
  readonly hint: string;
  readonly createdAt: string;
  /** ISO 8601. The secret is refused from then on. During a rotation, this is in the future. */
  readonly revokedAt?: string;
  /** The relay that owns it. Such a secret cannot be rotated or revoked alone. */
  readonly relay?: string;
  /** The value, if this machine has it: `npm start` keeps the secrets of its environment. Tables contain hashes. */
  readonly value?: string;
}

/** A new secret. Its value is shown once. */
export interface IssuedSecret extends Secret {
  readonly value: string;
}

/** The written documents in order: the edited one, then flags that got a new version with it. Empty if nothing changed. */
export interface WriteResult {
  readonly documents: readonly VersionedDocument[];
}

/** The result of an edit of several flags. */
export interface BatchResult extends WriteResult {
  /** Keys of flags that were not written, because they changed or no longer exist. */
  readonly conflicts: readonly string[];
}

/** An error. */
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
  /** The request is not in {@link Requests}. */
  'bad-request': 400,
  /** The token is missing or has expired. */
  'token-required': 401,
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
  /** The table does not answer or throttles, or there are no credentials. */
  'table-unavailable': 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;
