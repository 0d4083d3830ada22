import type { Dimensions, MeteredResource } from '../prices/meters.ts';
import { FUNCTION_GB, type FunctionName } from '../prices/serviceFacts.ts';

/** A resource of a stack, as CloudFormation lists it. */
export interface StackResource {
  readonly stack: 'Data' | 'Serverless' | 'Host';
  readonly type: string;
  /** The name in the template. */
  readonly logicalId: string;
  /** The name in the account. */
  readonly physicalId: string;
}

/** What a part of the deployment is in the stacks: of which type, beginning with which name; and its dimensions. */
interface Rule {
  readonly type: string;
  readonly logicalId: string;
  /** The dimension with the name in the account. */
  readonly dimension: string;
  readonly more?: Readonly<Record<string, string>>;
}

const api = { type: 'AWS::ApiGatewayV2::Api', dimension: 'ApiId' };
const table = { type: 'AWS::DynamoDB::GlobalTable', dimension: 'TableName' };
const logGroup = { type: 'AWS::Logs::LogGroup', dimension: 'LogGroupName' };

const functionNames: Readonly<Record<FunctionName, string>> = {
  connect: 'StreamingConnect',
  sync: 'StreamingSync',
  disconnect: 'StreamingDisconnect',
  default: 'StreamingDefaultRoute',
  publish: 'PushPublish',
  deliver: 'PushDeliver',
  heal: 'HealingHeal',
  http: 'PollingHttp',
};

const RULES: Readonly<Partial<Record<MeteredResource, Rule>>> = {
  streaming: { ...api, logicalId: 'Streaming', more: { Stage: 'streaming' } },
  polling: { ...api, logicalId: 'Polling', more: { Stage: '$default' } },
  flags: { ...table, logicalId: 'Flags' },
  connections: { ...table, logicalId: 'Connections' },
  queue: { type: 'AWS::SQS::Queue', logicalId: 'PushQueue', dimension: 'QueueName' },
  insights: {
    type: 'AWS::KinesisFirehose::DeliveryStream',
    logicalId: 'InsightStream',
    dimension: 'DeliveryStreamName',
  },
  'streaming log': { ...logGroup, logicalId: 'StreamingVendedAccessLogs' },
  'polling log': { ...logGroup, logicalId: 'PollingVendedAccessLogs' },
  host: { type: 'AWS::EC2::Instance', logicalId: 'HostMachine', dimension: 'InstanceId' },
  ...Object.fromEntries(
    (Object.keys(FUNCTION_GB) as FunctionName[]).flatMap((name) => [
      [name, { type: 'AWS::Lambda::Function', logicalId: `${functionNames[name]}Handler`, dimension: 'FunctionName' }],
      [`${name} log`, { ...logGroup, logicalId: `${functionNames[name]}Logs` }],
    ]),
  ),
};

/** The dimensions of every part of a deployment that its stacks have, by the names that meters use. */
export function dimensionsOf(resources: readonly StackResource[], deployment: string): Dimensions {
  const found = Object.entries(RULES).flatMap(([name, { type, logicalId, dimension, more }]) => {
    // CDK ends each name with a digest of eight digits, and an instance's with more.
    const pattern = new RegExp(`^${logicalId}(Api|Stream|Instance|)[0-9A-F]{8}`);
    const resource = resources.find((each) => each.type === type && pattern.test(each.logicalId));
    if (!resource) return [];
    // CloudFormation knows queues by their URL, which ends with the name.
    const value = resource.physicalId.replace(/^https?:.*\//, '');
    return [[name, { [dimension]: value, ...more }] as const];
  });
  return { ...Object.fromEntries(found), stage: { Stage: deployment } };
}
