import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';

/** Prefix of every context key of ours but `stage`; a key under it that we do not know is refused. */
const namespace = 'flagwire:';

const perSecond = z.coerce.number().int().positive();

const contextSchema = z.object({
  stage: z.enum(['dev', 'prod']).default('dev'),
  'flagwire:throttlingRate': perSecond.default(10_000),
  'flagwire:throttlingBurst': perSecond.default(5_000),
  'flagwire:logRetentionDays': z.coerce
    .number()
    .refine(
      (days) => days in RetentionDays,
      'not a retention that CloudWatch Logs offers (1, 3, 5, 7, 14, 30, 60, 90 …)',
    )
    .default(30),
  'flagwire:missingAttribute': z.enum(['empty', 'no-match']).default('empty'),
  'flagwire:account': z.coerce
    .string()
    .regex(/^\d{12}$/, 'an AWS account is 12 digits')
    .optional(),
  'flagwire:region': z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region looks like eu-central-1')
    .optional(),
});

/** Which rules of keeping apply: `prod` keeps data when a stack goes, `dev` leaves nothing behind. */
export type Stage = 'dev' | 'prod';

/** What an operator may choose about a deployment; see {@link readConfig} for the context keys. */
export interface Config {
  readonly stage: Stage;
  /** Requests a second each API lets through; the account's default quota for all its APIs together is 10,000. */
  readonly throttlingRate: number;
  /** Requests each API lets through at once, above the rate. */
  readonly throttlingBurst: number;
  /** Days that CloudWatch keeps the functions' logs. */
  readonly logRetentionDays: RetentionDays;
  /** How conditions read an attribute that a user lacks: as empty text (FeatBit's server), or as not matching. */
  readonly missingAttribute: 'empty' | 'no-match';
  /** Where to deploy; empty means wherever the deploying credentials point (and needs no look-up to synthesize). */
  readonly env: { readonly account?: string; readonly region?: string };
}

/** A context value that cannot be used; the message is one line, meant for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads the deployment's configuration from CDK context (`-c key=value`, or `context` in cdk.json).
 *
 * Keys: `stage` (dev, prod), `flagwire:throttlingRate`, `flagwire:throttlingBurst`, `flagwire:logRetentionDays`, `flagwire:missingAttribute`,
 * `flagwire:account`, `flagwire:region`. Keys of other namespaces (CDK's own) are none of our business.
 *
 * @param context every context key in sight; values from the command line are strings
 * @returns the configuration, frozen
 * @throws ConfigError naming the key, on an unknown `flagwire:` key or a value that does not fit
 */
export function readConfig(context: Readonly<Record<string, unknown>> = {}): Config {
  const known = Object.keys(contextSchema.shape);
  const unknown = Object.keys(context).find((key) => key.startsWith(namespace) && !known.includes(key));
  if (unknown !== undefined) throw new ConfigError(`Unknown context key ${unknown}; known are: ${known.join(', ')}.`);

  const parsed = contextSchema.safeParse(context);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const key = String(issue?.path[0]);
    throw new ConfigError(`Context ${key}=${String(context[key])} cannot be used: ${issue?.message}.`);
  }
  const { data } = parsed;
  const account = data['flagwire:account'];
  const region = data['flagwire:region'];
  return Object.freeze({
    stage: data.stage,
    throttlingRate: data['flagwire:throttlingRate'],
    throttlingBurst: data['flagwire:throttlingBurst'],
    logRetentionDays: data['flagwire:logRetentionDays'],
    missingAttribute: data['flagwire:missingAttribute'],
    env: Object.freeze({ ...(account && { account }), ...(region && { region }) }),
  });
}
