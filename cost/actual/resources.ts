import type { MeteredResource } from '../prices/meters.ts';
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

/** What a part of the deployment is in the stacks: of which type, beginning with which name. */
interface Rule {
  readonly type: string;
  readonly logicalId: string;
  readonly dimensions: (physicalId: string, deployment: string) => Readonly<Record<string, string>>;
}

/** A log group, by the beginning of its name in the template. */
function logGroup(logicalId: string): Rule {
  return { type: 'AWS::Logs::LogGroup', logicalId, dimensions: (LogGroupName) => ({ LogGroupName }) };
}

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
  streaming: {
    type: 'AWS::ApiGatewayV2::Api',
    logicalId: 'Streaming',
    dimensions: (ApiId) => ({ ApiId, Stage: 'streaming' }),
  },
  polling: {
    type: 'AWS::ApiGatewayV2::Api',
    logicalId: 'Polling',
    dimensions: (ApiId) => ({ ApiId, Stage: '$default' }),
  },
  flags: { type: 'AWS::DynamoDB::GlobalTable', logicalId: 'Flags', dimensions: (TableName) => ({ TableName }) },
  connections: {
    type: 'AWS::DynamoDB::GlobalTable',
    logicalId: 'Connections',
    dimensions: (TableName) => ({ TableName }),
  },
  // CloudFormation knows queues by their URL, which ends with the name.
  queue: {
    type: 'AWS::SQS::Queue',
    logicalId: 'PushQueue',
    dimensions: (url) => ({ QueueName: url.split('/').at(-1) ?? url }),
  },
  insights: {
    type: 'AWS::KinesisFirehose::DeliveryStream',
    logicalId: 'InsightStream',
    dimensions: (DeliveryStreamName) => ({ DeliveryStreamName }),
  },
  'streaming log': logGroup('StreamingVendedAccessLogs'),
  'polling log': logGroup('PollingVendedAccessLogs'),
  host: { type: 'AWS::EC2::Instance', logicalId: 'HostMachine', dimensions: (InstanceId) => ({ InstanceId }) },
  ...Object.fromEntries(
    (Object.keys(FUNCTION_GB) as FunctionName[]).flatMap((name) => [
      [
        name,
        {
          type: 'AWS::Lambda::Function',
          logicalId: `${functionNames[name]}Handler`,
          dimensions: (FunctionName: string) => ({ FunctionName }),
        },
      ],
      [`${name} log`, logGroup(`${functionNames[name]}Logs`)],
    ]),
  ),
};

/** The dimensions of every part of a deployment that its stacks have, by the names that meters use. */
export function dimensionsOf(
  resources: readonly StackResource[],
  deployment: string,
): Partial<Record<MeteredResource, Readonly<Record<string, string>>>> {
  const found = Object.entries(RULES).flatMap(([name, { type, logicalId, dimensions }]) => {
    // CDK ends each name with a digest of eight digits, and an instance's with more.
    const pattern = new RegExp(`^${logicalId}(Api|Stream|Instance|)[0-9A-F]{8}`);
    const resource = resources.find((each) => each.type === type && pattern.test(each.logicalId));
    return resource ? [[name, dimensions(resource.physicalId, deployment)] as const] : [];
  });
  return { ...Object.fromEntries(found), stage: { Stage: deployment } };
}
