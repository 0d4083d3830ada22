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

/** What a part of the deployment is in the stacks: of which type, beginning with which name. */
interface Rule {
  readonly type: string;
  readonly logicalId: string;
  readonly dimensions: (physicalId: string) => Readonly<Record<string, string>>;
}

/** A log group, by the beginning of its name in the template. */
function logGroup(logicalId: string): Rule {
  return { type: 'AWS::Logs::LogGroup', logicalId, dimensions: (LogGroupName) => ({ LogGroupName }) };
}

function api(logicalId: string, Stage: string): Rule {
  return { type: 'AWS::ApiGatewayV2::Api', logicalId, dimensions: (ApiId) => ({ ApiId, Stage }) };
}

function table(logicalId: string): Rule {
  return { type: 'AWS::DynamoDB::GlobalTable', logicalId, dimensions: (TableName) => ({ TableName }) };
}

function lambda(logicalId: string): Rule {
  return { type: 'AWS::Lambda::Function', logicalId, dimensions: (FunctionName) => ({ FunctionName }) };
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
  streaming: api('Streaming', 'streaming'),
  polling: api('Polling', '$default'),
  flags: table('Flags'),
  connections: table('Connections'),
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
      [name, lambda(`${functionNames[name]}Handler`)],
      [`${name} log`, logGroup(`${functionNames[name]}Logs`)],
    ]),
  ),
};

/** The dimensions of every part of a deployment that its stacks have, by the names that meters use. */
export function dimensionsOf(resources: readonly StackResource[], deployment: string): Dimensions {
  const found = Object.entries(RULES).flatMap(([name, { type, logicalId, dimensions }]) => {
    // CDK ends each name with a digest of eight digits, and an instance's with more.
    const pattern = new RegExp(`^${logicalId}(Api|Stream|Instance|)[0-9A-F]{8}`);
    const resource = resources.find((each) => each.type === type && pattern.test(each.logicalId));
    return resource ? [[name, dimensions(resource.physicalId)] as const] : [];
  });
  return { ...Object.fromEntries(found), stage: { Stage: deployment } };
}
