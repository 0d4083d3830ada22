import { z } from 'zod';
import { requirement } from '../../../shared/command/requirement.ts';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import { FAST_POLL_SECONDS } from '../../prices/serviceFacts.ts';
import { REGIONS } from '../../prices/sheets.ts';
import { FREE_TIERS, MONTH_HOURS } from '../../prices/tiers.ts';
import { CURVES, type CurveName } from './curve.ts';
import meanings from './workloadFields.json' with { type: 'json' };

const HUNDRED_MILLION = 1e8;
const count = (most: number) => z.number().finite().min(0).max(most);
const whole = (least: number, most: number) => z.number().int().min(least).max(most);
const quota = z.number().min(1).max(1e9);
const curveName = z.enum(Object.keys(CURVES) as [CurveName, ...CurveName[]]);

const sdk = z.strictObject({
  share: z.number().gt(0).max(1),
  /** FeatBit's SDKs: 18 (JavaScript, Node, Android, React Native), 15 (.NET, Rust), 10 (Go, Java, Python, Ruby). */
  pingSeconds: z
    .number()
    .min(0.1)
    .max(600, 'API Gateway ends connections that are silent for ten minutes, 600 s')
    .default(SDK_PING_SECONDS),
  type: z.enum(['client', 'server']),
});

const schema = z
  .strictObject({
    region: z.enum(REGIONS).default('us-east-1'),
    connections: count(HUNDRED_MILLION).default(0),
    curve: z
      .union([curveName, z.array(z.number().min(0).max(1)).length(24, 'a curve has 24 shares, one for each hour')])
      .default('flat'),
    days: z
      .number()
      .gt(0)
      .max(MONTH_HOURS / 24, 'a month is 730 hours, 30.4 days')
      .default(MONTH_HOURS / 24),
    newPerHour: count(1e10).default(0),
    sdks: z
      .array(sdk)
      .min(1)
      .default([{ share: 1, pingSeconds: SDK_PING_SECONDS, type: 'client' }])
      .refine(
        (sdks) => Math.abs(sdks.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-6,
        'shares must add up to 1',
      ),
    flags: whole(0, 10_000).default(20),
    flagBytes: count(350_000).default(2_000),
    changesPerDay: count(1e6).default(10),
    eventsPerHour: count(1e6).default(0),
    pollIntervalMs: whole(10, 600_000).default(500),
    fastPollSeconds: whole(0, 3_600).default(FAST_POLL_SECONDS),
    environments: whole(1, 10).default(1),
    freeTier: z.enum(FREE_TIERS).default('none'),
    credits: z.enum(['standard', 'unlimited']).default('standard'),
    servers: z.enum(['always', 'hourly']).default('always'),
    requestQuota: quota.default(10_000),
    connectQuota: quota.default(500),
    accessLogs: z.boolean().default(true),
    pongs: z.boolean().default(true),
    lean: z.boolean().default(false),
    tls: z.boolean().default(true),
  })
  .refine(({ newPerHour, connections }) => newPerHour === 0 || connections > 0, {
    path: ['newPerHour'],
    message: '`connections` must be above 0 if connections are opened',
  });

/** What a service has to do in a month; {@link workloadFields} describes each field. */
export type Workload = Omit<z.infer<typeof schema>, 'curve'> & {
  /** Share of `connections` held in each hour of the day. */
  readonly curve: readonly number[];
};

/** A workload as a user writes it; fields that are left out have defaults. */
export type WorkloadInput = z.input<typeof schema>;

/** What each field means, by its name. */
export const workloadFields: Readonly<Record<keyof Workload, string>> = meanings;

/** The workload of a deployment that nobody uses. */
export const IDLE = { connections: 0, changesPerDay: 0 } as const;

/** A workload that is not valid; the message names the field, what was given and what fits. */
export class WorkloadError extends Error {
  override name = 'WorkloadError';
}

/** @throws {WorkloadError} naming the field */
export function parseWorkload(input: unknown): Workload {
  const parsed = schema.safeParse(input, { error: inWords });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (issue?.code === 'unrecognized_keys') {
      const names = Object.keys(workloadFields).join(', ');
      throw new WorkloadError(`the workload has no "${issue.keys[0]}"; it has ${names}`);
    }
    const given = issue?.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)?.[key], input);
    const what = issue?.path.length ? `${issue.path.join('.')}=${JSON.stringify(given)}` : 'the workload';
    throw new WorkloadError(`${what} is not valid: ${issue?.message}`);
  }
  const { curve, ...rest } = parsed.data;
  return { ...rest, curve: typeof curve === 'string' ? CURVES[curve] : curve };
}

/** Why a value does not fit; undefined where the schema has its own message. */
const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_union')
    return `it must be one of ${Object.keys(CURVES).join(', ')}, or 24 shares from 0 to 1`;
  return requirement(issue, (limit) => limit.toLocaleString('en'));
};

/** The same workload with another number of connections, and all that comes with them in proportion. */
export function scaledTo(workload: Workload, connections: number): Workload {
  const ratio = workload.connections > 0 ? connections / workload.connections : 0;
  return { ...workload, connections, newPerHour: workload.newPerHour * ratio };
}
