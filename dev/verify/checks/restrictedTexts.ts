import type { Template } from '../../../infra/inProcess.ts';

/** Text that AWS accepts: only these characters, and at most so many. */
interface Limit {
  readonly only: RegExp;
  readonly most: number;
}

const limit = (most: number, only = /^[^\p{Cc}]*$/u): Limit => ({ only, most });

/** Names without spaces. */
const word = (most: number) => limit(most, /^[\w-]+$/);

/**
 * What AWS accepts for texts of templates, by type and property: the first line that fits. CloudFormation finds out when it creates the
 * resource, and cfn-lint checks few of them. `*` is an item of a list. Sources: the API references of the services, the models of their
 * SDKs, and for tags docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html.
 */
const LIMITS: readonly (readonly [place: RegExp, limit: Limit])[] = [
  [/ Tags\.\*\.Value$/, limit(256, /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u)],
  [/^AWS::EC2::SecurityGroup.*Description$/, limit(255, /^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]*$/)],
  [
    /^AWS::ApiGatewayV2::(DomainName|ApiMapping) DomainName$|^AWS::Route53::RecordSet Name$/,
    limit(253, /^[a-z0-9.-]+$/),
  ],
  [/^AWS::ApiGatewayV2::Stage StageName$/, limit(128, /^(\$default|[\w-]+)$/)],
  [/^AWS::ApiGatewayV2::(Api|Authorizer) Name$/, limit(128)],
  [/^AWS::ApplicationAutoScaling::ScalingPolicy PolicyName$/, limit(256, /^[^|:]+$/)],
  [/^AWS::Budgets::Budget Budget\.BudgetName$/, limit(100, /^[^:\\]+$/)],
  [/^AWS::CloudFront::\w+ \w+\.Comment$/, limit(128)],
  [/^AWS::CloudFront::\w+ (VpcOriginEndpointConfig\.)?Name$/, word(64)],
  [/^AWS::CloudWatch::Alarm AlarmDescription$|^(template|output) Description$/, limit(1024)],
  [/^AWS::CloudWatch::Alarm \w+Name$|^AWS::EC2::VPCEndpoint ServiceName$|^output Export\.Name$/, limit(255)],
  [/^AWS::CloudWatch::Dashboard DashboardName$/, word(255)],
  [/^AWS::ECS::TaskDefinition (Family|ContainerDefinitions\.\*\.Name)$/, word(255)],
  [/^AWS::Events::Rule EventBusName$/, limit(1600, /^[/.\-\w:]+$/)],
  [/^AWS::IAM::ManagedPolicy Description$/, limit(1000)],
  [/^AWS::IAM::Policy PolicyName$/, limit(128, /^[\w+=,.@-]+$/)],
  [/^AWS::KinesisFirehose::DeliveryStream DeliveryStreamName$/, limit(64, /^[\w.-]+$/)],
  [/^AWS::Lambda::Alias Name$/, limit(128, /^(?!\d+$)[\w-]+$/)],
  [/^AWS::Lambda::Function Description$/, limit(256)],
  [/^AWS::Logs::LogGroup LogGroupName$/, limit(512, /^[.\-_/#A-Za-z0-9]+$/)],
  [/^AWS::SNS::Topic DisplayName$/, limit(100)],
  [/^AWS::SNS::Topic TopicName$/, word(256)],
  [/^stack name$/, limit(128, /^[A-Za-z][A-Za-z0-9-]*$/)],
];

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
  const [, known] = LIMITS.find(([places]) => places.test(place)) ?? [];
  const isName = NAMING.test(place.slice(place.indexOf(' ') + 1)) && !OTHERS.test(place);
  if (!known) return isName ? [`${place}: no limit is known`] : [];
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
