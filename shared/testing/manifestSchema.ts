import { z } from 'zod';

const flag = { key: z.string().min(1), name: z.string().optional(), description: z.string().nullish() };

/**
 * What the OpenFeature CLI 0.4.1 accepts as a manifest: `ManifestEnvelope` of its Manifest Management API 0.1.0, each default of
 * the type of the flag as its schema of manifest files requires, and no null, for which the CLI asks.
 */
export const manifestSchema = z.strictObject({
  flags: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ ...flag, type: z.literal('boolean'), defaultValue: z.boolean() }),
      z.strictObject({ ...flag, type: z.literal('string'), defaultValue: z.string() }),
      z.strictObject({ ...flag, type: z.literal('integer'), defaultValue: z.number().int() }),
      z.strictObject({ ...flag, type: z.literal('float'), defaultValue: z.number() }),
      z.strictObject({ ...flag, type: z.literal('object'), defaultValue: z.json().refine((value) => value !== null) }),
    ]),
  ),
});
