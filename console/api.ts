import type { z } from 'zod';
import type { Document } from '../shared/flags/document.ts';
import type { Problem } from '../shared/flags/problem.ts';
import type { SecretType } from '../shared/protocol/secret.ts';
import type { Attention } from './attention.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { ChangeReceipt, HistoryChange, HistoryPage } from './history.ts';
import type { LiveLine, Look } from './live.ts';
import type { ShownPlan } from './plans.ts';
import type { bodies, queries } from './schemas.ts';
import type { Activity, ShownUsage } from './usage.ts';

/** Path of the page. The terminal prints it with `#token=…`. */
export const PAGE_PATH = '/console/';
/** Path of {@link Requests}. */
export const API_PATH = '/console/api/';
/** Path that starts a sign-in. The provider returns to `/done` under it, `/refresh` renews the session, `/out` ends it at the provider. */
export const SIGN_IN_PATH = '/sign-in';
export const SIGN_OUT_PATH = '/sign-out';
/** Header with the token from the printed address. After a sign-in, with any value: other sites cannot set it. */
export const TOKEN_HEADER = 'x-console-token';
/** Header with `person` of the {@link Context} that a page got: another tab may have signed in somebody else since. */
export const PERSON_HEADER = 'x-console-person';
/** Maximum size of a request body, in bytes. Documents have a lower limit (`DOCUMENT_LIMIT_BYTES`, compressed). */
export const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * The requests of the page, by method and path, with their answer as JSON. `:env` is an environment's id, `:secret` a
 * secret's, `:plan` a plan's. Errors are an `ErrorAnswer`. `GET environments/:env/live` is not included: its answer is a
 * stream of lines.
 */
interface Answers {
  'GET context': Context;
  'GET environments': readonly EnvironmentName[];
  /** 409 if the name is taken. */
  'POST environments': CreatedEnvironment;
  'GET environments/:env': EnvironmentContent;
  'PATCH environments/:env': EnvironmentSettings;
  /** Version, connections and metrics, for a page without a stream. 404 with `npm start`, which has one. */
  'GET environments/:env/look': Look;
  'GET environments/:env/elsewhere': Elsewhere;
  /**
   * Writes or deletes one flag or segment. 409 with `current` if the stored version differs from `expectedVersion`,
   * 422 with `problems` if the document is invalid.
   */
  'PUT environments/:env/document': WriteResult;
  /** Writes copied flags, and the segments that they need, as one change. Errors as above. */
  'POST environments/:env/copy': WriteResult;
  /** Edits flags. The answer names flags whose version differs from `expectedVersion`; they are not written. */
  'PATCH environments/:env/flags': BatchResult;
  /** Problems other than those of flags and segments. */
  'GET attention': Attention;
  /** Newest first. */
  'GET environments/:env/history': HistoryPage;
  /** Flags and segments at a past time. 404 if the history does not contain it. */
  'GET environments/:env/past': PastContent;
  /** Reads all connections of the environment: 0.08 read units each. */
  'GET environments/:env/receipt': ChangeReceipt;
  /** Evaluations of one flag. */
  'GET environments/:env/usage': ShownUsage;
  /** Reads the evaluations of each flag, at most once in 20 seconds. */
  'GET environments/:env/activity': Activity;
  /** 409 if it would lose a later change. */
  'POST environments/:env/undo': WriteResult;
  /** Oldest first. Plans of one flag or segment include those that ended in the last 30 days. */
  'GET environments/:env/plans': Plans;
  /**
   * Stores an edit as a plan, as `PUT environments/:env/document` writes it. No plans in the answer: it changes
   * nothing. 409 with `guard-refused` if an alarm cannot guard it.
   */
  'POST environments/:env/plans': Plans;
  /** Stores a gradual rollout. Steps at `now` are applied at once. Guards as above. */
  'POST environments/:env/rollouts': Plans;
  /** No plan in the answer to `resume`: it is not paused. 409 with `guard-refused` while the guard that paused it is in ALARM. */
  'POST environments/:env/plans/:plan': Plans;
  'POST environments/:env/secrets': IssuedSecret;
  /** The old secret keeps working for `graceMs`. */
  'POST environments/:env/secrets/:secret/rotate': IssuedSecret;
  'POST environments/:env/secrets/:secret/revoke': Secret;
}

/** The requests, each with its answer, body and query. */
export type Requests = {
  readonly [Name in keyof Answers]: {
    readonly answer: Answers[Name];
    readonly body: Parsed<typeof bodies, Name>;
    readonly query: Parsed<typeof queries, Name>;
  };
};

type Parsed<Schemas, Name> = Name extends keyof Schemas ? z.output<Schemas[Name]> : undefined;

interface Plans {
  readonly plans: readonly ShownPlan[];
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
  /** Id of the environment of the keys of `npm start`. */
  readonly defaultEnvironment?: string;
  /** The operator in the history: AWS identity if known, user and machine. The person's name after a sign-in. */
  readonly by: string;
  /** Set after a sign-in. Otherwise the operator's AWS credentials decide. */
  readonly may?: Permissions;
  /** With `may`: the person's id, as CloudTrail has it. */
  readonly person?: string;
}

/** What a signed-in person may change. They see everything. */
export interface Permissions {
  /** Ids of the environments whose flags they may change. */
  readonly edit: readonly string[];
  /** May change all environments, their settings and their keys. */
  readonly administer: boolean;
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
export interface Import extends Pick<HistoryChange, 'version' | 'at' | 'command'> {
  /** It wrote the versions after `previous`, up to and including `version`. */
  readonly previous: number;
}

/** Readable documents of an environment at a past time, including deleted ones. */
export interface PastContent {
  /** Unix milliseconds. 0 if the time is before the first change. */
  readonly version: number;
  readonly documents: readonly VersionedDocument[];
}

/** A flag or a segment with its version: unix milliseconds, unique in its environment. */
export type VersionedDocument = Document & { readonly version: number };
export type VersionedFlag = Extract<VersionedDocument, { kind: 'flag' }>;
export type VersionedSegment = Extract<VersionedDocument, { kind: 'segment' }>;

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
