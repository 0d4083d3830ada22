import { z } from 'zod';
import { CHANGE_ACTIONS } from '../shared/flags/changeAction.ts';
import type { Document } from '../shared/flags/document.ts';
import { STEP_LIMIT } from '../shared/plans/releasePlan.ts';
import { SECRET_TYPES } from '../shared/protocol/secret.ts';
import { BATCH_STATES, COPY_DOCUMENTS, FLAGS_AT_ONCE, TAG_LIMIT } from './flagBatch.ts';
import { PLAN_OPERATIONS } from './plans.ts';
import { USAGE_PERIODS } from './usage.ts';

const name = z.string().min(1).max(200);
const kind = z.enum(['flag', 'segment']);
const version = z.number().int().min(0);
/** A number in a query. */
const integer = z.coerce.number().int().min(0);
/** As `parsePlannedTime` reads it. */
const time = z.string().max(50);
/** The environment's id. Required in production (428 without). */
const confirmation = { confirm: z.string().max(100).exactOptional() };
/** The reason for a change, for the history. Required (428 without) if the environment's settings say so. */
const change = { ...confirmation, remark: z.string().max(200).exactOptional() };
/** The store has a lower limit. Names in CloudWatch have at most 255 characters. */
const guarding = {
  guards: z.array(z.string().min(1).max(255)).max(100).readonly().optional(),
  watch: time.optional(),
};
/** A document to write and the version that it replaces. */
const expectedDocument = {
  /** `envId` and `updatedAt` are ignored. The content is checked when it is written. */
  document: z.strictObject({ kind, document: z.looseObject({}) }) as z.ZodType as z.ZodType<Document>,
  /** The version that was edited. Null for a new document, or one that replaces a deleted document. */
  expectedVersion: version.nullable(),
};
export type ExpectedDocument = z.output<z.ZodObject<typeof expectedDocument>>;
const MAX_GRACE_MS = 30 * 86_400_000;
/** The maximum time in JavaScript, in unix milliseconds. */
const MAX_TIME = 8_640_000_000_000_000;

/** Schemas of the bodies of requests. */
export const bodies = {
  'POST environments': z.strictObject({ name }),
  /** Missing fields do not change. */
  'PATCH environments/:env': z.strictObject({
    name: name.exactOptional(),
    isProduction: z.boolean().exactOptional(),
    requiresReason: z.boolean().exactOptional(),
    historyDays: z.number().exactOptional(),
    ...confirmation,
  }),
  'PUT environments/:env/document': z.strictObject({ ...expectedDocument, ...change }),
  'POST environments/:env/copy': z.strictObject({
    /** The name of the other environment, for the history. */
    from: name,
    documents: z.array(z.strictObject(expectedDocument)).min(1).max(COPY_DOCUMENTS),
    ...change,
  }),
  'PATCH environments/:env/flags': z.strictObject({
    edit: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.enum(BATCH_STATES) }),
      z.strictObject({ kind: z.literal('add-tag'), tag: z.string().trim().min(1).max(TAG_LIMIT) }),
      // An imported tag may be longer.
      z.strictObject({ kind: z.literal('remove-tag'), tag: z.string().trim().min(1).max(1_000) }),
    ]),
    flags: z
      .array(z.strictObject({ key: name, expectedVersion: version }))
      .min(1)
      .max(FLAGS_AT_ONCE)
      .refine((flags) => new Set(flags.map(({ key }) => key)).size === flags.length, 'a flag is named twice'),
    ...change,
  }),
  'POST environments/:env/undo': z.strictObject({ version, ...change }),
  'POST environments/:env/plans': z.strictObject({ ...expectedDocument, at: time, ...guarding, ...change }),
  'POST environments/:env/rollouts': z.strictObject({
    flag: name,
    /** Its id. Default: the default rule. */
    rule: z.string().max(200).exactOptional(),
    variationId: name,
    steps: z
      /** `share` of the users of the rule. */
      .array(z.strictObject({ share: z.number().min(0).max(1), at: time }))
      .min(1)
      .max(STEP_LIMIT),
    ...guarding,
    ...change,
  }),
  'POST environments/:env/plans/:plan': z.strictObject({ operation: z.enum(PLAN_OPERATIONS), ...confirmation }),
  'POST environments/:env/secrets': z.strictObject({ name, type: z.enum(SECRET_TYPES), ...confirmation }),
  'POST environments/:env/secrets/:secret/rotate': z.strictObject({
    graceMs: z.number().int().min(0).max(MAX_GRACE_MS),
    ...confirmation,
  }),
  'POST environments/:env/secrets/:secret/revoke': z.strictObject(confirmation),
};

/** A flag by its key, or a segment by its id. */
const subject = { kind: kind.exactOptional(), id: z.string().max(200).exactOptional() };

/** Schemas of queries. */
export const queries = {
  /** Without a flag or segment, all open plans of the environment. */
  'GET environments/:env/plans': z.strictObject(subject),
  'GET environments/:env/usage': z.strictObject({ flag: name, period: z.enum(USAGE_PERIODS) }),
  /** A filter of changes. Missing fields match all. */
  'GET environments/:env/history': z.strictObject({
    ...subject,
    /** Part of the author's name, case-insensitive. */
    by: z.string().max(200).exactOptional(),
    action: z.enum(CHANGE_ACTIONS).exactOptional(),
    /** Unix milliseconds: from `since` on, before `until`. */
    since: integer.exactOptional(),
    until: integer.exactOptional(),
    /** A version: only changes before that one. */
    before: integer.exactOptional(),
  }),
  /** Unix milliseconds. */
  'GET environments/:env/past': z.strictObject({ at: integer.max(MAX_TIME) }),
  /** The version of the change. Default: the newest. */
  'GET environments/:env/receipt': z.strictObject({ version: integer.exactOptional() }),
};
export type HistoryQuery = z.output<(typeof queries)['GET environments/:env/history']>;
export type PlanQuery = z.output<(typeof queries)['GET environments/:env/plans']>;
