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

/** Where the page lies; its address as the terminal prints it ends with `#token=…`. */
export const PAGE_PATH = '/console/';
/** Under what the requests of {@link Requests} lie. */
export const API_PATH = '/console/api/';
/** The header with the token of the address that the terminal shows. */
export const TOKEN_HEADER = 'x-console-token';
/** The most bytes of a request's body. A document takes less (`DOCUMENT_LIMIT_BYTES`) once it is compressed. */
export const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** The most documents that one copy writes. */
export const COPY_DOCUMENTS = 80;

/**
 * What page and server say to each other: by method and path, what is asked and what is answered, as JSON. `:env` is an
 * environment's id, `:secret` a secret's, `:plan` a plan's. What goes wrong is answered with {@link ErrorAnswer}.
 *
 * All but {@link StreamRequest}, which is answered line by line.
 */
export interface Requests {
  'GET context': Request<Context>;
  'GET environments': Request<readonly EnvironmentName[]>;
  /** 409 where the name is taken. */
  'POST environments': Request<CreatedEnvironment, { readonly name: string }>;
  'GET environments/:env': Request<EnvironmentContent>;
  /** What is not said stays as it is. */
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
   * Writes one flag or segment; deletes it where the document is deleted. 409 with `current` where the stored one has another version than `expectedVersion`; 422 with
   * `problems` where it is not valid.
   */
  'PUT environments/:env/document': Request<WriteResult, ExpectedDocument & Remark & Confirmation>;
  /**
   * Writes flags as they are copied from another environment, with segments that they need, as one change. 409 with `current` where
   * one of them has another version than `expectedVersion`; 422 with `problems` where one is not valid.
   */
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
   * Edits several flags at once, at most `FLAGS_AT_ONCE`. A flag that has another version than `expectedVersion` is not written,
   * and named in the answer.
   */
  'PATCH environments/:env/flags': Request<
    BatchResult,
    {
      readonly edit: BatchEdit;
      readonly flags: readonly { readonly key: string; readonly expectedVersion: number }[];
    } & Remark &
      Confirmation
  >;
  /** What is wrong outside of flags and segments, which `GET environments/:env` has. */
  'GET environments/:env/attention': Request<Attention>;
  /** Newest first. */
  'GET environments/:env/history': Request<HistoryPage, undefined, HistoryQuery>;
  /** Flags and segments at a past time. 404 where the history does not contain it. */
  'GET environments/:env/past': Request<PastContent, undefined, { readonly at: number }>;
  /** Reads all connections of the environment: 0.08 read units each. */
  'GET environments/:env/receipt': Request<ChangeReceipt, undefined, ReceiptQuery>;
  /** Evaluations of one flag. */
  'GET environments/:env/usage': Request<ShownUsage, undefined, UsageQuery>;
  /** 409 where that would lose a later change. */
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
  /** The old one works for `graceMs` more, at most 30 days. */
  'POST environments/:env/secrets/:secret/rotate': Request<IssuedSecret, { readonly graceMs: number } & Confirmation>;
  'POST environments/:env/secrets/:secret/revoke': Request<Secret, Confirmation>;
}

/** `GET environments/:env/live` is answered with such a line of JSON for each thing that happens; an empty line says that nothing did. */
export type { LiveLine };

/** One request of the contract: its answer, body and query. */
interface Request<Answer, Body = undefined, Query = undefined> {
  readonly answer: Answer;
  readonly body: Body;
  readonly query: Query;
}

/** Required (428 without) where the environment is marked as production: its id, once the operator was asked. */
interface Confirmation {
  readonly confirm?: string;
}

/** As `parsePlannedTime` reads it. */
type PlannedTime = string;

interface Plans {
  readonly plans: readonly ShownPlan[];
}

/** A document to write, and what it takes the place of. */
export interface ExpectedDocument {
  /** Its own `envId` and `updatedAt` count for nothing. */
  readonly document: Document;
  /** The version of what was edited; null: it must be new, or take the place of a deleted one. */
  readonly expectedVersion: number | null;
}

/**
 * Why something is changed, in the operator's words, for the history; at most 200 characters. Required (428 without) where the
 * environment's settings say so.
 */
interface Remark {
  readonly remark?: string;
}

/** What is looked at, and by whom. */
export interface Context {
  /** Of Flagwire. */
  readonly version: string;
  /** Says that the deployed service has another version. */
  readonly versionWarning?: string;
  /** `local`: npm start on this machine. */
  readonly mode: 'local' | 'aws';
  readonly table: string;
  readonly region: string;
  /** For SDKs, without a path; undefined where the console does not know it. */
  readonly streamingUrl?: string;
  readonly httpUrl?: string;
  /** As the history will name the operator: the AWS identity where AWS tells it, user and machine. */
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
  /** Whether changes of flags and segments need a remark. */
  readonly requiresReason: boolean;
  /** How many days changes are kept in its history. */
  readonly historyDays: number;
}

/** An environment with its first two secrets, which can be seen this once. */
interface CreatedEnvironment {
  readonly environment: EnvironmentSettings;
  readonly secrets: readonly IssuedSecret[];
}

/** All of an environment, archived and deleted documents too, as at one time. */
export interface EnvironmentContent {
  readonly environment: EnvironmentSettings;
  /** That of its newest document, 0 for none; {@link LiveLine} tells of later ones. */
  readonly version: number;
  readonly documents: readonly VersionedDocument[];
  /** Those of the table that cannot be read: no SDK gets them. */
  readonly unreadable: readonly UnreadableDocument[];
  readonly secrets: readonly Secret[];
  /** How documents came that are older than the environment. */
  readonly imports: readonly Import[];
}

/** A part of the history that wrote documents with the versions that they had elsewhere. */
export interface Import {
  /** It wrote the versions after `previous`, up to `version`. */
  readonly previous: number;
  readonly version: number;
  /** Unix milliseconds. */
  readonly at: number;
  readonly command: string;
}

/** An environment's readable documents at a past time, with those that were deleted. */
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
  /** ISO 8601: from then on it is refused; may lie ahead while a rotation is under way. */
  readonly revokedAt?: string;
  /** The relay that it was made for, and ends with: it cannot be rotated or revoked alone. */
  readonly relay?: string;
  /** The secret itself, where this machine keeps it: those of the environment that npm start made. Tables hold hashes. */
  readonly value?: string;
}

/** A new secret, which can be seen this once. */
export interface IssuedSecret extends Secret {
  readonly value: string;
}

/** What was written, in order: the document asked for, then the flags that got a new version with it. Empty: no change. */
export interface WriteResult {
  readonly documents: readonly VersionedDocument[];
}

/** What became of an edit of several flags. */
export interface BatchResult extends WriteResult {
  /** The keys of flags that were not written, as they were changed meanwhile or are not there any more. */
  readonly conflicts: readonly string[];
}

/** What went wrong. */
export interface ErrorAnswer {
  readonly error: {
    readonly code: ErrorCode;
    /** What happened, to what, and what to do. */
    readonly message: string;
    /** With `invalid-document`. */
    readonly problems?: readonly Problem[];
    /** With `edit-conflict`: what is stored now; null where there is nothing. */
    readonly current?: VersionedDocument | null;
    /** With `permission-missing`, as AWS names them: `dynamodb:PutItem`, and on what. */
    readonly action?: string;
    readonly resource?: string;
  };
}

/** What went wrong, with the status that it is answered with. */
export const ERROR_STATUS = {
  /** The request is not one of {@link Requests}. */
  'bad-request': 400,
  /** The token is missing or has expired: open the address that the terminal shows now. */
  'token-required': 401,
  /** The request comes from another site's page, or through another name of this machine. */
  'foreign-origin': 403,
  /** The operator's AWS credentials may not do that. */
  'permission-missing': 403,
  'not-found': 404,
  'edit-conflict': 409,
  /** A name is taken, a change cannot be undone. */
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
  /** More live streams or requests at once than one operator needs. */
  'too-many-requests': 429,
  'internal-error': 500,
  /** The table does not answer, is throttled, or there are no credentials. */
  'table-unavailable': 503,
} as const;
export type ErrorCode = keyof typeof ERROR_STATUS;
