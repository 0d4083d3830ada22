import { z } from 'zod';
import { CHANGE_ACTIONS } from '../../shared/flags/changeAction.ts';
import { STEP_LIMIT } from '../../shared/plans/releasePlan.ts';
import { SECRET_TYPES } from '../../shared/protocol/secret.ts';
import { COPY_DOCUMENTS, type Requests } from '../api.ts';
import { BATCH_STATES, FLAGS_AT_ONCE, TAG_LIMIT } from '../flagBatch.ts';
import { PLAN_OPERATIONS } from '../plans.ts';
import { USAGE_PERIODS } from '../usage.ts';

const name = z.string().min(1).max(200);
const confirm = z.string().max(100).optional();
const remark = z.string().max(200).optional();
const version = z.number().int().min(0);
const time = z.string().max(50);
/** The store has a lower limit. Names in CloudWatch have at most 255 characters. */
const guarding = { guards: z.array(z.string().min(1).max(255)).max(100).optional(), watch: time.optional() };
const expectedDocument = {
  document: z.strictObject({ kind: z.enum(['flag', 'segment']), document: z.looseObject({}) }),
  expectedVersion: version.nullable(),
};
const MAX_GRACE_MS = 30 * 86_400_000;
/** The maximum time in JavaScript, in unix milliseconds. */
const MAX_TIME = 8_640_000_000_000_000;

/** Schemas of bodies. The content of documents is checked when they are written. */
export const bodies = {
  'POST environments': z.strictObject({ name }),
  'PATCH environments/:env': z.strictObject({
    name: name.optional(),
    isProduction: z.boolean().optional(),
    requiresReason: z.boolean().optional(),
    historyDays: z.number().optional(),
    confirm,
  }),
  'PUT environments/:env/document': z.strictObject({ ...expectedDocument, remark, confirm }),
  'POST environments/:env/copy': z.strictObject({
    from: name,
    documents: z.array(z.strictObject(expectedDocument)).min(1).max(COPY_DOCUMENTS),
    remark,
    confirm,
  }),
  'PATCH environments/:env/flags': z.strictObject({
    edit: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.enum(BATCH_STATES) }),
      z.strictObject({ kind: z.literal('add-tag'), tag: z.string().trim().min(1).max(TAG_LIMIT) }),
      // An imported tag may be longer, or begin with a space.
      z.strictObject({ kind: z.literal('remove-tag'), tag: z.string().min(1).max(1_000) }),
    ]),
    flags: z
      .array(z.strictObject({ key: name, expectedVersion: version }))
      .min(1)
      .max(FLAGS_AT_ONCE)
      .refine((flags) => new Set(flags.map(({ key }) => key)).size === flags.length, 'a flag is named twice'),
    remark,
    confirm,
  }),
  'POST environments/:env/undo': z.strictObject({ version, remark, confirm }),
  'POST environments/:env/plans': z.strictObject({ ...expectedDocument, at: time, ...guarding, remark, confirm }),
  'POST environments/:env/rollouts': z.strictObject({
    flag: name,
    variationId: name,
    steps: z
      .array(z.strictObject({ share: z.number().min(0).max(1), at: time }))
      .min(1)
      .max(STEP_LIMIT),
    ...guarding,
    remark,
    confirm,
  }),
  'POST environments/:env/plans/:plan': z.strictObject({ operation: z.enum(PLAN_OPERATIONS), confirm }),
  'POST environments/:env/secrets': z.strictObject({ name, type: z.enum(SECRET_TYPES), confirm }),
  'POST environments/:env/secrets/:secret/rotate': z.strictObject({
    graceMs: z.number().int().min(0).max(MAX_GRACE_MS),
    confirm,
  }),
  'POST environments/:env/secrets/:secret/revoke': z.strictObject({ confirm }),
} as const satisfies Partial<Record<keyof Requests, z.ZodType>>;

/** True if a request changes flags or segments, so that its body may have a remark. */
export function takesRemark(request: keyof Requests): boolean {
  return request in bodies && 'remark' in bodies[request as keyof typeof bodies].shape;
}

/** Schemas of queries. */
export const queries = {
  'GET environments/:env/plans': z.strictObject({
    kind: z.enum(['flag', 'segment']).optional(),
    id: z.string().max(200).optional(),
  }),
  'GET environments/:env/usage': z.strictObject({ flag: z.string().min(1).max(200), period: z.enum(USAGE_PERIODS) }),
  'GET environments/:env/history': z.strictObject({
    kind: z.enum(['flag', 'segment']).optional(),
    id: z.string().max(200).optional(),
    by: z.string().max(200).optional(),
    action: z.enum(CHANGE_ACTIONS).optional(),
    since: z.coerce.number().int().min(0).optional(),
    until: z.coerce.number().int().min(0).optional(),
    before: z.coerce.number().int().min(0).optional(),
  }),
  'GET environments/:env/past': z.strictObject({ at: z.coerce.number().int().min(0).max(MAX_TIME) }),
  'GET environments/:env/receipt': z.strictObject({ version: z.coerce.number().int().min(0).optional() }),
} as const satisfies Partial<Record<keyof Requests, z.ZodType>>;
