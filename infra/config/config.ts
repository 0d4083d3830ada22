import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { ConfigError } from './configError.ts';
import { explainIssues } from './explain.ts';
import { type Fargate, resolveFargate } from './fargate.ts';
import { checkFrontDoor, DOOR_INSTANCE_TYPE } from './frontDoor.ts';
import { checkHost } from './host.ts';
import { deliveriesFor } from './postRates.ts';
import { checkRegionalDomain } from './regionalDomain.ts';
import { checkRegion, checkVpcOrigins, hasBudgets, throttleOf } from './regions.ts';
import { valueAt } from './settingsList.ts';
import { type Settings, settingsSchema, type ValidSettings } from './settingsSchema.ts';
import { checkConsole } from './signIn.ts';

/** Instances of a function. Undefined if Lambda decides. */
export type Concurrency = ValidSettings['connectConcurrency'];

/** The settings of a table. */
export type TableSettings = ValidSettings['connectionsTable'];

/** One host name for both APIs. */
export type Domain = NonNullable<ValidSettings['domain']>;

/** Policies for users who work with flags. */
export type OperatorSettings = NonNullable<ValidSettings['operatorPolicies']>;

/** The settings of a deployment, with all defaults. */
export interface Config extends Readonly<Omit<ValidSettings, 'fargate'>> {
  readonly throttlingRate: number;
  readonly throttlingBurst: number;
  readonly deliverConcurrency: number;
  readonly streamingAccessLogs: NonNullable<ValidSettings['streamingAccessLogs']>;
  readonly lean: boolean;
  readonly retainData: boolean;
  readonly terminationProtection: boolean;
  readonly fargate?: Fargate;
  /** Prefix for names, instead of name and stage (constructs/flagwire.ts). */
  readonly deployment?: string;
  /** Topic for alarms that alarmTopicArn names. */
  readonly alarmTopic?: ITopic;
  /** Topic that mails alarms to alarmEmail. All stacks share it. */
  readonly mailTopic?: ITopic;
}

/**
 * Fills in the defaults of settings and checks their combination.
 *
 * @returns the configuration, frozen
 * @throws ConfigError as {@link parseSettings} does
 */
export function readConfig(settings: Settings = {}): Config {
  return parseSettings(settings);
}

/**
 * {@link readConfig} for unchecked input, such as a file.
 *
 * @throws ConfigError naming the key and the value, on an unknown key or on a value that is invalid alone or with others
 */
export function parseSettings(given: unknown): Config {
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) throw new ConfigError(explainIssues(parsed.error.issues, given));
  const { host, frontDoor } = parsed.data;
  if (host && frontDoor && valueAt(given, 'host.instanceType') === undefined) host.instanceType = DOOR_INSTANCE_TYPE;
  return freeze(resolve(parsed.data));
}

/** Settings with ARNs that must be in the deployment's region: services look for them there, and functions find the table by its name. */
const REGIONAL_ARNS = [
  'flagsTable.existingStreamArn',
  'regionalDomain.certificateArn',
  'eventBus',
  'kmsKeyArn',
  'fargate.tls.certificateArn',
];

/** Settings with ARNs in any region, which must be in the deployment's account. */
const OWN_ARNS = [
  ...REGIONAL_ARNS,
  ...['domain', 'frontDoor', 'host.tls'].flatMap((name) => [`${name}.certificateArn`, `${name}.webAclArn`]),
  'permissionsBoundaryArn',
];

function resolve(all: ValidSettings): Config {
  const { fargate, ...settings } = all;
  const { host, frontDoor, regionalDomain, region, stage } = settings;
  checkAll([
    () => region !== undefined && checkRegion(region),
    () => checkAlarms('alarmEmail', settings),
    () => checkAlarms('alarmTopicArn', settings),
    () => checkBudget(settings),
    ...REGIONAL_ARNS.map((key) => () => checkPlace(key, 'region', 3, all)),
    ...OWN_ARNS.map((key) => () => checkPlace(key, 'account', 4, all)),
    () => checkDomainNames({ ...settings, ...(fargate && { fargate }) }),
    () => checkConcurrency('connectConcurrency', settings.connectConcurrency),
    () => checkConcurrency('syncConcurrency', settings.syncConcurrency),
    () => host && checkHost(host, settings),
    () => frontDoor && checkFrontDoor(frontDoor, host, settings),
    () => frontDoor && checkVpcOrigins('frontDoor', region),
    () => host?.tls && checkVpcOrigins('host.tls', region),
    () => regionalDomain && checkRegionalDomain(regionalDomain, settings.domain),
    () => settings.console && checkConsole(settings.console, settings.environments),
    () => streamingAccessLogsOf(settings),
    () => fargate && resolveFargate(fargate, settings),
  ]);
  const isThrownAway = stage === 'dev';
  const throttle = throttleOf(region);
  const throttlingRate = settings.throttlingRate ?? throttle.rate;
  return {
    ...settings,
    throttlingRate,
    throttlingBurst: settings.throttlingBurst ?? throttle.burst,
    deliverConcurrency: settings.deliverConcurrency ?? deliveriesFor(throttlingRate),
    streamingAccessLogs: streamingAccessLogsOf(settings),
    lean: settings.lean ?? isThrownAway,
    retainData: settings.retainData ?? !isThrownAway,
    terminationProtection: settings.terminationProtection ?? !isThrownAway,
    ...(fargate && { fargate: resolveFargate(fargate, settings) }),
  };
}

/** Runs all checks. @throws ConfigError with the messages of the failed ones, one per line */
function checkAll(checks: readonly (() => unknown)[]): void {
  const problems = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return [error.message];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
}

/** @throws ConfigError naming both keys, if two entries to the deployment have one name: DNS leads to one of them */
function checkDomainNames({ domain, regionalDomain, host, frontDoor, fargate }: ValidSettings): void {
  const keyOf = new Map<string, string>();
  const names = {
    'domain.name': domain?.name,
    'regionalDomain.streamingName': regionalDomain?.streamingName,
    'regionalDomain.httpName': regionalDomain?.httpName,
    'host.tls.domainName': host?.tls?.domainName,
    'frontDoor.domainName': frontDoor?.domainName,
    'fargate.tls.domainName': fargate?.tls?.domainName,
  };
  for (const [key, name] of Object.entries(names)) {
    if (name === undefined) continue;
    const other = keyOf.get(name);
    if (other !== undefined)
      throw new ConfigError(`${key}=${name} cannot be used: it is also ${other}. Use another name.`);
    keyOf.set(name, key);
  }
}

function checkAlarms(key: 'alarmEmail' | 'alarmTopicArn', settings: ValidSettings): void {
  if (settings[key] === undefined || settings.alarms) return;
  throw new ConfigError(`${key} cannot be used: alarms is false.`);
}

/** @throws ConfigError if nobody would get the alarm, or if CloudFormation does not have budgets there */
function checkBudget({ name, stage, monthlyBudget, alarmEmail, region }: ValidSettings): void {
  if (monthlyBudget === undefined) return;
  if (alarmEmail === undefined)
    throw new ConfigError('monthlyBudget cannot be used alone: set alarmEmail to the address that gets alarms.');
  if (region === undefined || hasBudgets(region)) return;
  throw new ConfigError(
    `monthlyBudget=${monthlyBudget} cannot be used in ${region}, where CloudFormation has no AWS::Budgets::Budget: ` +
      `leave it out, and make a budget for the tags app=${name.toLowerCase()} and stage=${stage} in the Billing console.`,
  );
}

/**
 * API Gateway writes both kinds of log with the same role, one for all APIs of the account and region. A default must not replace a role of
 * others. `npm run deploy` reads whether one is set. Without that fact, the existing role is used.
 */
function streamingAccessLogsOf(settings: ValidSettings): Config['streamingAccessLogs'] {
  const { streamingAccessLogs: chosen, streamingExecutionLogs: executionLogs, stage } = settings;
  if (chosen === 'off' && executionLogs) {
    throw new ConfigError(
      'streamingExecutionLogs cannot be used: streamingAccessLogs is off, and both take its role; ' +
        'say create-role or existing-role.',
    );
  }
  return chosen ?? (stage !== 'dev' || executionLogs ? 'existing-role' : 'off');
}

/**
 * @param index of the part of an ARN that names the place. Policies of AWS have no account
 * @throws ConfigError if it is another place than the deployment's
 */
function checkPlace(key: string, place: 'account' | 'region', index: number, settings: ValidSettings): void {
  const arn = valueAt(settings, key) as string | undefined;
  const [found, wanted] = [arn?.split(':')[index], settings[place]];
  if (found === undefined || found === 'aws' || wanted === undefined || found === wanted) return;
  throw new ConfigError(`${key}=${arn} cannot be used: the ${place} is ${wanted}.`);
}

function checkConcurrency(key: string, { reserved, provisioned }: Concurrency): void {
  if (reserved === undefined || provisioned === undefined || provisioned <= reserved) return;
  throw new ConfigError(`${key}.provisioned=${provisioned} cannot be used: only ${reserved} instances are reserved.`);
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}
