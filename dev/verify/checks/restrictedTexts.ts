import type { Template } from '../../../infra/inProcess.ts';

/** Text that AWS accepts: only these characters, and at most so many. */
interface Limit {
  readonly only: RegExp;
  readonly most: number;
}

const limit = (most: number, only = /^[^\p{Cc}]*$/u): Limit => ({ only, most });

/** Descriptions of security groups and their rules: API_CreateSecurityGroup, API_IpPermission of EC2. */
const group = limit(255, /^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]*$/);
/** Names without spaces of Lambda, CloudFront, CloudWatch, SNS, SQS, ECS and API Gateway. */
const word = (most: number) => limit(most, /^[\w-]+$/);
/** Names of roles and policies: API_CreateRole, API_CreatePolicy of IAM. */
const iamName = (most: number) => limit(most, /^[\w+=,.@-]+$/);
/** Values of tags that all services accept: docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html */
const tag = limit(256, /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u);
const dnsName = limit(253, /^[a-z0-9.-]+$/);

/**
 * What AWS accepts for texts that templates name, by type and property. CloudFormation finds out when it creates the resource, and cfn-lint
 * checks few of them. `*` is an item of a list. Sources: the API references of the services, and the models of their SDKs.
 */
const LIMITS: Readonly<Record<string, Limit>> = {
  'AWS::ApiGatewayV2::Api Name': limit(128),
  'AWS::ApiGatewayV2::Authorizer Name': limit(128),
  'AWS::ApiGatewayV2::DomainName DomainName': dnsName,
  'AWS::ApiGatewayV2::ApiMapping DomainName': dnsName,
  'AWS::ApiGatewayV2::Stage StageName': limit(128, /^(\$default|[\w-]+)$/),
  'AWS::ApplicationAutoScaling::ScalingPolicy PolicyName': limit(256, /^[^|:]+$/),
  'AWS::Budgets::Budget Budget.BudgetName': limit(100, /^[^:\\]+$/),
  'AWS::CloudFront::Distribution DistributionConfig.Comment': limit(128),
  'AWS::CloudFront::Function FunctionConfig.Comment': limit(128),
  'AWS::CloudFront::Function Name': word(64),
  'AWS::CloudFront::KeyValueStore Name': word(64),
  'AWS::CloudFront::VpcOrigin VpcOriginEndpointConfig.Name': word(64),
  'AWS::CloudWatch::Alarm AlarmDescription': limit(1024),
  'AWS::CloudWatch::Alarm AlarmName': limit(255),
  'AWS::CloudWatch::Alarm MetricName': limit(255),
  'AWS::CloudWatch::Dashboard DashboardName': word(255),
  'AWS::EC2::SecurityGroup GroupDescription': group,
  'AWS::EC2::SecurityGroup SecurityGroupEgress.*.Description': group,
  'AWS::EC2::SecurityGroup SecurityGroupIngress.*.Description': group,
  'AWS::EC2::SecurityGroupEgress Description': group,
  'AWS::EC2::SecurityGroupIngress Description': group,
  'AWS::EC2::VPCEndpoint ServiceName': limit(255),
  'AWS::ECS::TaskDefinition Family': word(255),
  'AWS::ECS::TaskDefinition ContainerDefinitions.*.Name': word(255),
  'AWS::Events::Rule EventBusName': limit(1600, /^[/.\-\w:]+$/),
  'AWS::IAM::ManagedPolicy Description': limit(1000),
  'AWS::IAM::Policy PolicyName': iamName(128),
  'AWS::KinesisFirehose::DeliveryStream DeliveryStreamName': limit(64, /^[\w.-]+$/),
  'AWS::Lambda::Alias Name': limit(128, /^(?!\d+$)[\w-]+$/),
  'AWS::Lambda::Function Description': limit(256),
  'AWS::Logs::LogGroup LogGroupName': limit(512, /^[.\-_/#A-Za-z0-9]+$/),
  'AWS::Route53::RecordSet Name': dnsName,
  'AWS::SNS::Topic DisplayName': limit(100),
  'AWS::SNS::Topic TopicName': word(256),
  'template Description': limit(1024),
  'output Description': limit(1024),
  'output Export.Name': limit(255),
  'stack name': limit(128, /^[A-Za-z][A-Za-z0-9-]*$/),
};

/** Properties that name or describe the resource. Each must have a limit. */
const NAMING = /(^|\.)(\w*Description|Comment)$|^\w*Name$|^Family$/;
/** Properties with names or descriptions of other resources. */
const OTHERS = /^AWS::(Lambda::(?!Function)\w+ FunctionName|Logs::LogStream LogGroupName)$|^Custom::/;

/** What AWS would refuse in a stack, and texts that the table does not know: one line each. */
export function textFindings(stack: string, template: Template): string[] {
  const { Resources, Outputs = {}, ...rest } = template;
  return [
    ...findingsAt('stack name', stack, stack),
    ...findingsAt('template Description', stack, (rest as { Description?: unknown }).Description),
    ...Object.entries(Resources).flatMap(([id, { Type, Properties }]) =>
      textsIn(Properties).flatMap(([path, value]) => findingsAt(`${Type} ${path}`, id, value)),
    ),
    ...Object.entries(Outputs).flatMap(([id, output]) =>
      textsIn(output).flatMap(([path, value]) => findingsAt(`output ${path}`, id, value)),
    ),
  ];
}

function findingsAt(place: string, id: string, value: unknown): string[] {
  const text = textOf(value);
  if (text === undefined) return [];
  const known = / Tags\.\*\.Value$/.test(place) ? tag : LIMITS[place];
  if (!known)
    return NAMING.test(place.slice(place.indexOf(' ') + 1)) && !OTHERS.test(place)
      ? [`${place}: no limit is known`]
      : [];
  const isAccepted = text.length <= known.most && known.only.test(text);
  return isAccepted ? [] : [`${place} of ${id}: ${JSON.stringify(text)}: ${known.only}, at most ${known.most}`];
}

/** All values of a resource by their path. */
function textsIn(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null || textOf(value) !== undefined) return [[path, value]];
  return Object.entries(value).flatMap(([key, part]) =>
    textsIn(part, `${path}${path && '.'}${Array.isArray(value) ? '*' : key}`),
  );
}

/** Lengths of values that AWS sets. Of others, the id of a resource has the most. */
const VALUES: Readonly<Record<string, string>> = {
  'AWS::Region': 'ap-southeast-1',
  'AWS::AccountId': '123456789012',
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
};
const ID = 'x'.repeat(32);

/** The text of a value, at its longest. @returns undefined if it is no text */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [[key, argument] = ['', undefined]] = Object.entries(value);
  if (key === 'Ref') return VALUES[argument as string] ?? ID;
  if (key === 'Fn::Join') {
    const [separator, parts] = argument as [string, unknown[]];
    return Array.isArray(parts) ? parts.map(textOf).join(separator) : ID;
  }
  if (key === 'Fn::Sub') return String(argument).replaceAll(/\$\{([^}]*)\}/g, (_, name) => VALUES[name] ?? ID);
  return key.startsWith('Fn::') ? ID : undefined;
}
