import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { RemovalPolicy, Stack, Token } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { type Config, readConfig } from './config.ts';
import { ConfigError } from './configError.ts';
import { deploymentName, MAX_DEPLOYMENT_NAME } from './deploymentName.ts';
import type { Fargate } from './fargate.ts';
import { HOST_KEYS, type Host } from './host.ts';
import type { Settings } from './settingsSchema.ts';

/** Settings of a deployment by several stacks. In your own app, use CDK's mechanisms instead. */
export const APP_SETTINGS = [
  'stage',
  'name',
  'account',
  'region',
  'bootstrapQualifier',
  'tags',
  'terminationProtection',
  'permissionsBoundaryArn',
  'retainData',
  'alarmTopicArn',
  'host',
  'fargate',
] as const;

type AppSettings = (typeof APP_SETTINGS)[number];

/**
 * Settings of a service. Settings with the same name in the file of a stage (docs/cdk.md) have the same meaning, values and
 * defaults, except those that are described here.
 */
export interface ServiceProps extends Omit<Settings, AppSettings> {
  /**
   * Prefix for the names of alarms, dashboards and APIs. It must differ from those of other services in the account and region.
   *
   * @default the name of the stack and the id of the construct
   */
  readonly name?: string;
  /**
   * Topic for alarms. Its policy must allow cloudwatch.amazonaws.com and events.amazonaws.com to publish.
   *
   * @default CloudWatch shows alarms, and nobody is notified
   */
  readonly alarmTopic?: ITopic;
  /**
   * What happens to tables, bucket and logs when they leave the stack. RETAIN also protects the tables against deletion.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
  /**
   * Throttling rate of each API, in requests a second, up to the account's quota in the region.
   *
   * @default 10,000; 2,500 if the region of the stack is known and small
   */
  readonly throttlingRate?: number;
  /**
   * Access logs of the WebSocket API. API Gateway uses one role for them per account and region. `create-role` sets a role for
   * the whole account. `existing-role` uses the role that is set.
   *
   * @default off
   */
  readonly streamingAccessLogs?: NonNullable<Settings['streamingAccessLogs']>;
  /**
   * Execution logs of the WebSocket API at level ERROR: why a handshake or a message did not reach a function. They need
   * `streamingAccessLogs`.
   *
   * @default false
   */
  readonly streamingExecutionLogs?: boolean;
  /**
   * Stay within CloudWatch's free tier: ten alarms and one graph of costs.
   *
   * @default false
   */
  readonly lean?: boolean;
  /**
   * US dollars a month. Alarms warn if usage at the current rate would cost more. It needs `alarmEmail`.
   *
   * @default no such alarms
   */
  readonly monthlyBudget?: number;
}

/** Any stage but `dev`: no default of a construct depends on its name. */
const STAGE = 'construct';

/**
 * @internal The configuration of a construct.
 *
 * @throws ConfigError as `readConfig` does
 */
export function configOf(scope: Construct, props: ServiceProps): Config {
  const { name, alarmTopic, removalPolicy, ...settings } = props;
  const appSetting = APP_SETTINGS.find((key) => key in settings);
  if (appSetting !== undefined)
    throw new ConfigError(`${appSetting} is a setting of a stage, and no property of Flagwire. See docs/cdk.md.`);
  const { stackName, region, account } = Stack.of(scope);
  const config = readConfig({
    streamingAccessLogs: 'off',
    ...omitUndefined(settings),
    // FlagwireHost adds it.
    ...(settings.frontDoor && { host: true }),
    stage: STAGE,
    retainData: removalPolicy !== RemovalPolicy.DESTROY,
    ...(!Token.isUnresolved(region) && { region }),
    ...(!Token.isUnresolved(account) && { account }),
  });
  const deployment = name ?? `${stackName}-${scope.node.id.replaceAll(/[^A-Za-z0-9]/g, '')}`;
  if (!Token.isUnresolved(deployment) && deployment.length > MAX_DEPLOYMENT_NAME) {
    throw new ConfigError(
      `the names of APIs begin with ${deployment}, which has ${deployment.length} characters: set the property name to at most ${MAX_DEPLOYMENT_NAME}.`,
    );
  }
  return { ...config, deployment, ...(alarmTopic && { alarmTopic }) };
}

/** @internal The settings of a stage as props: the app of this repository uses the constructs like any other app. */
export function propsOf(scope: Construct, config: Config): ServiceProps {
  const { stage, name, account, region, tags, terminationProtection, permissionsBoundaryArn, ...others } = config;
  const { retainData, alarmTopicArn, host, fargate, bootstrapQualifier, deployment, ...settings } = others;
  return {
    ...settings,
    name: deploymentName(config),
    removalPolicy: retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    ...(alarmTopicArn !== undefined && { alarmTopic: Topic.fromTopicArn(scope, 'AlarmTopic', alarmTopicArn) }),
  };
}

/** A group of settings that is on. */
export type Group<Name extends 'host' | 'fargate'> = Exclude<Settings[Name], boolean | undefined>;

/** @internal Settings of hosts, as `FlagwireHostProps` has them. */
interface HostProps {
  readonly ec2?: Group<'host'>;
  readonly fargate?: Group<'fargate'>;
  readonly certificate?: ICertificate;
  readonly domainName?: string;
  readonly frontDoor?: Settings['frontDoor'];
}

/**
 * @internal The settings of hosts, with all defaults.
 *
 * @throws ConfigError as `readConfig` does, or if both kinds of hosts are set
 */
export function hostOf(scope: Construct, props: HostProps): { readonly host?: Host; readonly fargate: Fargate } {
  const { ec2, fargate = {}, certificate, domainName, frontDoor } = props;
  if (ec2 !== undefined && props.fargate !== undefined)
    throw new ConfigError('ec2 and fargate cannot be used together.');
  if ((certificate === undefined) !== (domainName === undefined)) {
    throw new ConfigError('certificate and domainName cannot be used without each other.');
  }
  const tls =
    certificate && domainName !== undefined ? { tls: { certificateArn: certificate.certificateArn, domainName } } : {};
  const { region } = Stack.of(scope);
  const place = Token.isUnresolved(region) ? {} : { region };
  const hosts = ec2
    ? { host: { ...omitUndefined(ec2), ...tls }, ...omitUndefined({ frontDoor }) }
    : { fargate: { ...omitUndefined(fargate), ...tls } };
  try {
    return readConfig({ stage: STAGE, ...place, ...hosts }) as ReturnType<typeof hostOf>;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(
      error.message.replaceAll(new RegExp(`\\bhost[.](?=(${HOST_KEYS.join('|')})\\b)`, 'g'), 'ec2.'),
    );
  }
}
