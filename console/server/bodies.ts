import { z } from 'zod';
import { SECRET_TYPES } from '../../shared/protocol/secret.ts';
import { COPY_DOCUMENTS, type Requests } from '../api.ts';

const name = z.string().min(1).max(200);
const confirm = z.string().max(100).optional();
const remark = z.string().max(200).optional();
const version = z.number().int().min(0);
const expectedDocument = {
  document: z.strictObject({ kind: z.enum(['flag', 'segment']), document: z.looseObject({}) }),
  expectedVersion: version.nullable(),
};
const MOST_GRACE_MS = 30 * 86_400_000;

/** What bodies must be. A document's own content is looked at where it is written. */
export const bodies = {
  'POST environments': z.strictObject({ name }),
  'PATCH environments/:env': z.strictObject({
    name: name.optional(),
    isProduction: z.boolean().optional(),
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
  'POST environments/:env/undo': z.strictObject({ version, remark, confirm }),
  'POST environments/:env/secrets': z.strictObject({ name, type: z.enum(SECRET_TYPES), confirm }),
  'POST environments/:env/secrets/:secret/rotate': z.strictObject({
    graceMs: z.number().int().min(0).max(MOST_GRACE_MS),
    confirm,
  }),
  'POST environments/:env/secrets/:secret/revoke': z.strictObject({ confirm }),
} as const satisfies Partial<Record<keyof Requests, z.ZodType>>;

/** What queries must be. */
export const queries = {
  'GET environments/:env/history': z.strictObject({
    kind: z.enum(['flag', 'segment']).optional(),
    id: z.string().max(200).optional(),
    before: z.coerce.number().int().min(0).optional(),
  }),
} as const satisfies Partial<Record<keyof Requests, z.ZodType>>;
