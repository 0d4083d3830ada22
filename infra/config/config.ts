import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { type Comparison, comparisonOf } from './comparison.ts';
import { ConfigError } from './configError.ts';
import { type Context, contextKeys, contextSchema, namespace } from './contextKeys.ts';
import { type Fargate, fargateOf } from './fargate.ts';
import { nearest } from './nearest.ts';
import { hasBudgets, throttleOf } from './regions.ts';

/** Which rules of keeping apply: `prod` keeps data when a stack goes, `dev` leaves nothing behind. */
export type Stage = Context['stage'];

/** Instances of a function, where it is not left to Lambda. */
export interface Concurrency {
  /** At least kept free, and at most used. */
  readonly reserved?: number;
  /** Kept warm. */
  readonly provisioned?: number;
}

/** How a table is to be made. */
export interface TableSettings {
  readonly tableClass: Context['flagwire:flagsTableClass'];
  /** Units a second that it takes from the start. */
  readonly warmReads?: number;
  readonly warmWrites?: number;
}

/** One host for everything, in place of API Gateway's two. */
export interface Domain {
  readonly name: string;
  readonly certificateArn: string;
  readonly hostedZoneId?: string;
}

/** Policies for those who work with flags. */
export interface OperatorSettings {
  /** Ids of environments that get an editor's policy each. */
  readonly editorEnvironments: readonly string[];
}

/** What an operator may choose about a deployment; each is described with its context key (config/contextKeys.ts). */
export interface Config {
  readonly stage: Stage;
  /** Where to deploy; empty means wherever the deploying credentials point (and needs no look-up to synthesize). */
  readonly env: { readonly account?: string; readonly region?: string };
  readonly tags: Readonly<Record<string, string>>;
  readonly throttlingRate: number;
  readonly throttlingBurst: number;
  readonly missingAttribute: Context['flagwire:missingAttribute'];
  readonly pongs: boolean;
  readonly connectConcurrency: Concurrency;
  readonly syncConcurrency: Concurrency;
  readonly deliverConcurrency: number;
  /** Messages a second that deliveries of changes send at most, all together. */
  readonly deliveryRate: number;
  readonly flagsTable: TableSettings;
  readonly connectionsTable: TableSettings;
  readonly logRetentionDays: RetentionDays;
  readonly accessLogRetentionDays: RetentionDays;
  readonly streamingAccessLogs: NonNullable<Context['flagwire:streamingAccessLogs']>;
  readonly streamingExecutionLogs: boolean;
  readonly insightRetentionDays: number;
  readonly tracing: boolean;
  readonly alarms: boolean;
  readonly lean: boolean;
  readonly alarmEmail?: string;
  /** US dollars a month that it is meant to cost at most. */
  readonly monthlyBudget?: number;
  readonly operatorPolicies?: OperatorSettings;
  readonly domain?: Domain;
  readonly comparison?: Comparison;
  readonly fargate?: Fargate;
}

/** What deliveries take of the requests a second that the API lets through, where nothing is said. */
const DELIVERY_SHARE = 0.4;

/** The fewest messages a second of one delivery, which has some dozens under way, and half a minute. */
const LEAST_RATE_OF_A_CALL = 10;

/**
 * Reads the deployment's configuration from CDK context (`-c key=value`, or `context` in cdk.json); its keys are those of
 * {@link contextKeys}. Keys with another prefix (CDK's own) are none of our business; one without any is taken for a typo.
 *
 * @param context every context key in sight; values from the command line are strings
 * @returns the configuration, frozen
 * @throws ConfigError naming the key, on an unknown key or a value that does not fit, alone or with others
 */
export function readConfig(context: Readonly<Record<string, unknown>> = {}): Config {
  const known = Object.keys(contextKeys);
  const unknown = Object.keys(context).find((key) => isOurs(key) && !known.includes(key));
  if (unknown !== undefined) {
    const names = known.map(withoutNamespace);
    const meant = known[names.indexOf(nearest(withoutNamespace(unknown), names))];
    const hint = `did you mean ${meant}? All keys are described in infra/config/contextKeys.ts.`;
    throw new ConfigError(`Unknown context key ${unknown}: ${hint}`);
  }

  const parsed = contextSchema.safeParse(context);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const key = String(issue?.path[0]);
    const given = typeof context[key] === 'object' ? JSON.stringify(context[key]) : String(context[key]);
    throw new ConfigError(`Context ${key}=${given} cannot be used: ${issue?.message}.`);
  }
  const config = configOf(parsed.data);
  for (const part of Object.values(config)) Object.freeze(part);
  return Object.freeze(config);
}

function withoutNamespace(key: string): string {
  return isNamespaced(key) ? key.slice(namespace.length) : key;
}

function isNamespaced(key: string): boolean {
  return key.toLowerCase().startsWith(namespace);
}

function isOurs(key: string): boolean {
  return isNamespaced(key) || /^\w+$/.test(key);
}

function configOf(context: Context): Config {
  const domain = domainOf(context);
  const operatorPolicies = operatorPoliciesOf(context);
  const comparison = comparisonOf(context);
  const fargate = fargateOf(context);
  if (context['flagwire:alarmEmail'] !== undefined && !context['flagwire:alarms']) {
    throw new ConfigError('Context flagwire:alarmEmail cannot be used: flagwire:alarms is false.');
  }
  if (context['flagwire:monthlyBudget'] !== undefined && context['flagwire:alarmEmail'] === undefined) {
    throw new ConfigError(
      'Context flagwire:monthlyBudget cannot be used alone: set flagwire:alarmEmail to the address that gets alarms.',
    );
  }
  requireBudgets(context);
  const throttle = throttleOf(context['flagwire:region']);
  const throttlingRate = context['flagwire:throttlingRate'] ?? throttle.rate;
  return {
    stage: context.stage,
    env: omitUndefined({ account: context['flagwire:account'], region: context['flagwire:region'] }),
    tags: context['flagwire:tags'],
    throttlingRate,
    throttlingBurst: context['flagwire:throttlingBurst'] ?? throttle.burst,
    missingAttribute: context['flagwire:missingAttribute'],
    pongs: context['flagwire:pongs'],
    connectConcurrency: concurrencyOf(context, 'connect'),
    syncConcurrency: concurrencyOf(context, 'sync'),
    deliverConcurrency: context['flagwire:deliverConcurrency'],
    deliveryRate: deliveryRateOf(context, throttlingRate),
    flagsTable: tableOf(context, 'flags'),
    connectionsTable: tableOf(context, 'connections'),
    logRetentionDays: context['flagwire:logRetentionDays'],
    accessLogRetentionDays: context['flagwire:accessLogRetentionDays'],
    streamingAccessLogs: streamingAccessLogsOf(context),
    streamingExecutionLogs: context['flagwire:streamingExecutionLogs'],
    insightRetentionDays: context['flagwire:insightRetentionDays'],
    tracing: context['flagwire:tracing'],
    alarms: context['flagwire:alarms'],
    lean: context['flagwire:lean'] ?? context.stage === 'dev',
    ...omitUndefined({ alarmEmail: context['flagwire:alarmEmail'], monthlyBudget: context['flagwire:monthlyBudget'] }),
    ...(operatorPolicies && { operatorPolicies }),
    ...(domain && { domain }),
    ...(comparison && { comparison }),
    ...(fargate && { fargate }),
  };
}

/** @throws ConfigError where CloudFormation would not know the budget */
function requireBudgets({ stage, ...context }: Context): void {
  const { 'flagwire:monthlyBudget': budget, 'flagwire:region': region } = context;
  if (budget === undefined || region === undefined || hasBudgets(region)) return;
  throw new ConfigError(
    `Context flagwire:monthlyBudget=${budget} cannot be used in ${region}, where CloudFormation has no AWS::Budgets::Budget: ` +
      `leave it out, and make a budget for the tags app=flagwire and stage=${stage} in the Billing console.`,
  );
}

function operatorPoliciesOf(context: Context): OperatorSettings | undefined {
  const { 'flagwire:operatorPolicies': isOn, 'flagwire:editorEnvironments': editorEnvironments } = context;
  if (!isOn && editorEnvironments !== undefined) {
    throw new ConfigError('Context flagwire:editorEnvironments cannot be used: flagwire:operatorPolicies is false.');
  }
  return isOn ? { editorEnvironments: editorEnvironments ?? [] } : undefined;
}

/** API Gateway writes both kinds of log by the same role. */
function streamingAccessLogsOf(context: Context): Config['streamingAccessLogs'] {
  const { 'flagwire:streamingAccessLogs': chosen, 'flagwire:streamingExecutionLogs': executionLogs } = context;
  if (chosen === 'off' && executionLogs) {
    throw new ConfigError(
      'Context flagwire:streamingExecutionLogs cannot be used: flagwire:streamingAccessLogs is off, and both take its role; ' +
        'say create-role or existing-role.',
    );
  }
  return chosen ?? (context.stage === 'prod' || executionLogs ? 'create-role' : 'off');
}

function concurrencyOf(context: Context, name: 'connect' | 'sync'): Concurrency {
  const reserved = context[`flagwire:${name}ReservedConcurrency`];
  const provisioned = context[`flagwire:${name}ProvisionedConcurrency`];
  if (reserved !== undefined && provisioned !== undefined && provisioned > reserved) {
    throw new ConfigError(
      `Context flagwire:${name}ProvisionedConcurrency=${provisioned} cannot be used: only ${reserved} instances are reserved.`,
    );
  }
  return omitUndefined({ reserved, provisioned });
}

/** @param limit requests a second that the API lets through */
function deliveryRateOf(context: Context, limit: number): number {
  const calls = context['flagwire:deliverConcurrency'];
  const least = calls * LEAST_RATE_OF_A_CALL;
  const rate = context['flagwire:deliveryRate'] ?? Math.max(least, Math.floor(limit * DELIVERY_SHARE));
  if (rate < least) {
    throw new ConfigError(
      `Context flagwire:deliveryRate=${rate} cannot be used: ${calls} deliveries at once (flagwire:deliverConcurrency) ` +
        `take ${least} messages a second at least.`,
    );
  }
  return rate;
}

function tableOf(context: Context, name: 'flags' | 'connections'): TableSettings {
  return {
    tableClass: context[`flagwire:${name}TableClass`],
    ...omitUndefined({
      warmReads: context[`flagwire:${name}WarmReads`],
      warmWrites: context[`flagwire:${name}WarmWrites`],
    }),
  };
}

function domainOf(context: Context): Domain | undefined {
  const name = context['flagwire:domainName'];
  const certificateArn = context['flagwire:certificateArn'];
  const hostedZoneId = context['flagwire:hostedZoneId'];
  if (name !== undefined && certificateArn !== undefined)
    return { name, certificateArn, ...omitUndefined({ hostedZoneId }) };
  const half = [name && 'domainName', certificateArn && 'certificateArn', hostedZoneId && 'hostedZoneId'].find(Boolean);
  if (half === undefined) return undefined;
  const missing = name === undefined ? 'domainName' : 'certificateArn';
  throw new ConfigError(`Context flagwire:${half} cannot be used alone: a domain also takes flagwire:${missing}.`);
}
