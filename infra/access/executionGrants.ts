import { allow, type Statement } from './policy.ts';

/** Names of a deployment's resources, as far as they are known before the deployment. */
interface Names {
  /** Prefix of all names that CloudFormation generates, in both cases. */
  readonly prefixes: readonly string[];
  /** The part of the prefix that remains in names of at most 63 to 80 characters. */
  readonly cut: readonly string[];
  readonly account: string;
  /** Of `cdk bootstrap`. */
  readonly qualifier: string;
  /** The tags of all resources that take tags. */
  readonly tags: { readonly app: string; readonly stage: string };
  /** Ids of hosted zones. */
  readonly zones: readonly string[];
}

type Grant = (names: Names) => readonly Statement[];

const MANAGE = ['Create*', 'Delete*', 'Describe*', 'Get*', 'List*', 'Put*', 'Set*', 'Update*', 'Tag*', 'Untag*'];

/** The actions that create and delete resources of this deployment. */
function manage(service: string, kinds: readonly string[], more: readonly string[] = []): Grant {
  return (names) => [allowVerbs(service, [...MANAGE, ...more], named(names, service, kinds))];
}

/** Resources whose name is unknown before the deployment: all of the account. */
function unnamed(service: string, verbs: readonly string[]): Grant {
  return () => [allowVerbs(service, verbs, ['*'])];
}

/** Allows actions of one service. */
function allowVerbs(service: string, verbs: readonly string[], resources: readonly string[]): Statement {
  const actions = verbs.map((verb) => `${service}:${verb}`);
  return allow(actions, resources);
}

/**
 * The actions that CloudFormation needs for each resource type. The key is the part of the type before the last `::`; some types need more.
 * Actions on data are left out where the service has separate ones.
 *
 * Source: the "Actions, resources, and condition keys" pages of the Service Authorization Reference.
 */
export const GRANTS: Readonly<Record<string, Grant>> = {
  'AWS::DynamoDB': (names) => [
    allowVerbs(
      'dynamodb',
      [
        'CreateTable*',
        'DeleteTable*',
        'Describe*',
        // The schema of AWS::DynamoDB::GlobalTable lists these for a read.
        'GetResourcePolicy',
        'List*',
        'TagResource',
        'UntagResource',
        'UpdateC*',
        'UpdateT*',
      ],
      named(names, 'dynamodb', ['table/'], names.prefixes),
    ),
  ],
  'AWS::Lambda': (names) => [
    ...manage('lambda', ['function:'], ['AddPermission', 'RemovePermission', 'Publish*'])(names),
    // Their ids are random. Reads have no condition, because CloudFormation also reads what is gone.
    allow(['lambda:GetEventSourceMapping', 'lambda:ListEventSourceMappings', 'lambda:*Tag*'], ['*']),
    {
      ...allow(
        ['Create', 'Update', 'Delete'].map((verb) => `lambda:${verb}EventSourceMapping`),
        ['*'],
      ),
      Condition: { ArnLike: { 'lambda:FunctionArn': named(names, 'lambda', ['function:']) } },
    },
    allow(['s3:GetObject'], [`arn:aws:s3:::cdk-${names.qualifier}-assets-${names.account}-*/*`]),
  ],
  'AWS::ApiGatewayV2': () => [
    // Without a condition on tags: AWS does not document that routes and integrations have those of their API.
    allow(['apigateway:*'], ['arn:aws:apigateway:*::/apis*', 'arn:aws:apigateway:*::/tags/*']),
    allow(['logs:*LogDelivery', 'logs:ListLogDeliveries', 'logs:*ResourcePolic*', 'logs:DescribeLogGroups'], ['*']),
  ],
  'AWS::ApiGatewayV2::DomainName': (names) => [
    allow(['apigateway:*'], ['arn:aws:apigateway:*::/domainnames*']),
    linkRoles(names, 'ops.apigateway'),
  ],
  'AWS::ApiGateway': () => [allow(['apigateway:GET', 'apigateway:PATCH'], ['arn:aws:apigateway:*::/account'])],
  'AWS::SQS': (names) => manage('sqs', [''], ['AddPermission', 'RemovePermission'])(names),
  'AWS::SNS': (names) => manage('sns', [''], ['Subscribe', 'Unsubscribe'])(names),
  'AWS::Events': manage('events', ['rule/'], ['RemoveTargets', 'EnableRule', 'DisableRule']),
  'AWS::KinesisFirehose': manage('firehose', ['deliverystream/'], ['Start*', 'Stop*']),
  'AWS::S3': (names) => [
    allowVerbs(
      's3',
      ['CreateBucket', 'DeleteBucket*', 'GetBucket*', 'Get*Configuration', 'PutBucket*', 'Put*Configuration'],
      names.cut.map((prefix) => `arn:aws:s3:::${prefix.toLowerCase()}*`).filter(isFirst),
    ),
  ],
  'AWS::Logs': ({ account, prefixes }) => [
    allowVerbs(
      'logs',
      [...MANAGE, 'AssociateKmsKey', 'DisassociateKmsKey'],
      [...prefixes, '/aws/vendedlogs/flagwire/', '/aws/apigateway/'].map(
        (prefix) => `arn:aws:logs:*:${account}:log-group:${prefix}*`,
      ),
    ),
    allow(['logs:DescribeLogGroups'], ['*']),
  ],
  'AWS::CloudWatch': ({ account, prefixes }) => [
    allowVerbs(
      'cloudwatch',
      MANAGE,
      prefixes.flatMap((prefix) => [
        `arn:aws:cloudwatch:*:${account}:alarm:${prefix}*`,
        `arn:aws:cloudwatch::${account}:dashboard/${prefix}*`,
      ]),
    ),
  ],
  'AWS::IAM': ({ account, cut: [prefix = ''] }) => {
    const of = (kind: string) => `arn:aws:iam::${account}:${kind}/${prefix}*`;
    return [
      allowVerbs(
        'iam',
        [...MANAGE, 'Attach*', 'Detach*', 'Add*', 'Remove*'],
        [of('role'), of('policy'), of('instance-profile')],
      ),
      {
        ...allow(['iam:PassRole'], [of('role')]),
        Condition: {
          StringEquals: {
            'iam:PassedToService': ['lambda', 'firehose', 'ec2', 'ecs-tasks', 'apigateway'].map(
              (service) => `${service}.amazonaws.com`,
            ),
          },
        },
      },
    ];
  },
  'AWS::CloudFront': (names) => [
    // Functions and stores cannot be restricted by tags. Origins have none, because a change of tags would replace them.
    ...unnamed('cloudfront', [
      'CreateDistribution*',
      'GetDistribution*',
      '*VpcOrigin*',
      '*Function*',
      '*KeyValueStore*',
      '*TagResource',
      '*TagsForResource',
    ])(names),
    tagged(names, 'cloudfront', ['UpdateDistribution', 'DeleteDistribution']),
    allow(['wafv2:GetWebACL'], ['*']),
    linkRoles(names, 'vpcorigin.cloudfront'),
  ],
  'AWS::Route53': ({ zones }) => [
    allowVerbs(
      'route53',
      ['ChangeResourceRecordSets', 'GetHostedZone', 'ListResourceRecordSets'],
      zones.map((zone) => `arn:aws:route53:::hostedzone/${zone}`),
    ),
    allow(['route53:GetChange'], ['arn:aws:route53:::change/*']),
  ],
  'AWS::Budgets': unnamed('budgets', ['ModifyBudget', 'ViewBudget', '*Tag*']),
  'AWS::EC2': (names) => [
    // CloudFormation calls these while it creates a resource, perhaps before the resource has its tags.
    ...unnamed(
      'ec2',
      // Launch templates have no tags.
      (
        'UpdateSecurityGroupRuleDescriptions* Allocate* Associate* Attach* Authorize* Create* Describe* Detach* Disassociate* ' +
        'DeleteLaunchTemplate* GetLaunchTemplateData Modify* Replace* Revoke* RunInstances'
      ).split(' '),
    )(names),
    tagged(names, 'ec2', ['Delete*', 'ReleaseAddress', 'StartInstances', 'StopInstances', 'TerminateInstances']),
  ],
  'AWS::ECS': (names) => [
    ...unnamed(
      'ecs',
      'CreateCluster CreateService Describe* List* PutCluster* *TaskDefinition* *Tag*'.split(' '),
    )(names),
    tagged(names, 'ecs', ['DeleteCluster', 'DeleteService', 'UpdateCluster*', 'UpdateService']),
    linkRoles(names, 'ecs'),
  ],
  'AWS::ElasticLoadBalancingV2': (names) => [
    ...unnamed('elasticloadbalancing', 'Add* Create* Describe* Modify* Register* Remove* Set*'.split(' '))(names),
    tagged(names, 'elasticloadbalancing', [
      'DeleteListener',
      'DeleteLoadBalancer',
      'DeleteTargetGroup',
      'DeregisterTargets',
    ]),
    linkRoles(names, 'elasticloadbalancing'),
  ],
  'AWS::ApplicationAutoScaling': (names) => [
    ...unnamed('application-autoscaling', ['Describe*', 'List*', 'Tag*', 'Untag*'])(names),
    {
      ...allowVerbs('application-autoscaling', ['Delete*', 'Deregister*', 'Put*', 'Register*'], ['*']),
      Condition: { StringEquals: { 'application-autoscaling:service-namespace': 'ecs' } },
    },
    // A scaling policy creates alarms with the caller's permissions:
    // https://docs.aws.amazon.com/AmazonECS/latest/developerguide/auto-scaling-IAM.html
    allow(
      ['cloudwatch:DescribeAlarms', 'cloudwatch:PutMetricAlarm', 'cloudwatch:DeleteAlarms'],
      [`arn:aws:cloudwatch:*:${names.account}:alarm:TargetTracking-*`],
    ),
    linkRoles(names, 'ecs.application-autoscaling'),
  ],
  Custom: (names) => [allow(['lambda:InvokeFunction'], named(names, 'lambda', ['function:']))],
};

/** A service that creates a service-linked role in an account on first use. */
function linkRoles({ account }: Names, service: string): Statement {
  const principal = `${service}.amazonaws.com`;
  return {
    ...allow(['iam:CreateServiceLinkedRole'], [`arn:aws:iam::${account}:role/aws-service-role/${principal}/*`]),
    Condition: { StringEquals: { 'iam:AWSServiceName': principal } },
  };
}

/** Resources without a name of ours, but with the tags of the deployment. */
function tagged({ tags: { app, stage } }: Names, service: string, verbs: readonly string[]): Statement {
  return {
    ...allowVerbs(service, verbs, ['*']),
    Condition: { StringLike: { 'aws:ResourceTag/app': app, 'aws:ResourceTag/stage': stage } },
  };
}

function named({ account, cut }: Names, service: string, kinds: readonly string[], prefixes = cut): string[] {
  return kinds.flatMap((kind) => prefixes.map((prefix) => `arn:aws:${service}:*:${account}:${kind}${prefix}*`));
}

/** Whether an entry is the first of its kind. */
export function isFirst<T>(value: T, index: number, all: readonly T[]): boolean {
  return all.indexOf(value) === index;
}
