import { allow, type Statement } from './policy.ts';

/** Services that get roles of the deployment. */
const PASSED_TO = ['lambda', 'firehose', 'ec2', 'ecs-tasks', 'apigateway'].map((name) => `${name}.amazonaws.com`);

/** The actions that create and delete resources. */
const MANAGE = 'Create* Delete* Describe* Get* List* Put* Set* Update* Tag* Untag*';

/**
 * The actions that CloudFormation needs for each resource type. The key is the part of the type before the last `::`; some types need more.
 * Actions on data are left out where the service has separate ones. `<account>`, `<qualifier>` (of `cdk bootstrap`), `<app>` and `<stage>`
 * (the tags) are filled in, and so is `<name>`, the start of all names that CloudFormation generates.
 *
 * Source: the "Actions, resources, and condition keys" pages of the Service Authorization Reference.
 */
export const GRANTS: Readonly<Record<string, readonly Statement[]>> = {
  'AWS::DynamoDB': [
    // The schema of AWS::DynamoDB::GlobalTable lists GetResourcePolicy for a read.
    onNamed(
      'dynamodb',
      'table/',
      'CreateTable* DeleteTable* Describe* GetResourcePolicy List* *TagResource UpdateC* UpdateT*',
    ),
  ],
  'AWS::Lambda': [
    onNamed('lambda', 'function:', `${MANAGE} AddPermission RemovePermission Publish*`),
    // Their ids are random. Reads have no condition, because CloudFormation also reads what is gone.
    allow('lambda', 'GetEventSourceMapping ListEventSourceMappings *Tag*'),
    allow('lambda', 'CreateEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping', ['*'], {
      ArnLike: { 'lambda:FunctionArn': ['arn:aws:lambda:*:<account>:function:<name>*'] },
    }),
    allow('s3', 'GetObject', ['arn:aws:s3:::cdk-<qualifier>-assets-<account>-*/*']),
  ],
  'AWS::ApiGatewayV2': [
    // Without a condition on tags: AWS does not document that routes and integrations have those of their API.
    allow('apigateway', '*', ['arn:aws:apigateway:*::/apis*', 'arn:aws:apigateway:*::/tags/*']),
    allow('logs', '*LogDelivery ListLogDeliveries *ResourcePolic* DescribeLogGroups'),
  ],
  'AWS::ApiGatewayV2::DomainName': [
    allow('apigateway', '*', ['arn:aws:apigateway:*::/domainnames*']),
    linkRoles('ops.apigateway'),
  ],
  'AWS::ApiGateway': [allow('apigateway', 'GET PATCH', ['arn:aws:apigateway:*::/account'])],
  'AWS::SQS': [onNamed('sqs', '', `${MANAGE} AddPermission RemovePermission`)],
  'AWS::SNS': [onNamed('sns', '', `${MANAGE} Subscribe Unsubscribe`)],
  'AWS::Events': [onNamed('events', 'rule/', `${MANAGE} RemoveTargets EnableRule DisableRule`)],
  'AWS::KinesisFirehose': [onNamed('firehose', 'deliverystream/', `${MANAGE} Start* Stop*`)],
  'AWS::S3': [
    // Names of buckets are in lower case.
    allow('s3', 'CreateBucket DeleteBucket* GetBucket* Get*Configuration PutBucket* Put*Configuration', [
      'arn:aws:s3:::<lowercase>*',
    ]),
  ],
  'AWS::Logs': [
    allow(
      'logs',
      `${MANAGE} AssociateKmsKey DisassociateKmsKey`,
      ['<name>', '/aws/vendedlogs/flagwire/', '/aws/apigateway/'].map(
        (start) => `arn:aws:logs:*:<account>:log-group:${start}*`,
      ),
    ),
    allow('logs', 'DescribeLogGroups'),
  ],
  'AWS::CloudWatch': [
    onNamed('cloudwatch', 'alarm:'),
    allow('cloudwatch', MANAGE, ['arn:aws:cloudwatch::<account>:dashboard/<name>*']),
  ],
  'AWS::IAM': [
    allow(
      'iam',
      `${MANAGE} Attach* Detach* Add* Remove*`,
      ['role', 'policy', 'instance-profile'].map((kind) => `arn:aws:iam::<account>:${kind}/<name>*`),
    ),
    allow('iam', 'PassRole', ['arn:aws:iam::<account>:role/<name>*'], {
      StringEquals: { 'iam:PassedToService': PASSED_TO },
    }),
  ],
  'AWS::CloudFront': [
    // Functions and stores cannot be restricted by tags. Origins have none, because a change of tags would replace them.
    allow(
      'cloudfront',
      'CreateDistribution* GetDistribution* *VpcOrigin* *Function* *KeyValueStore* *TagResource *TagsForResource',
    ),
    onTagged('cloudfront', 'UpdateDistribution DeleteDistribution'),
    allow('wafv2', 'GetWebACL'),
    linkRoles('vpcorigin.cloudfront'),
  ],
  'AWS::Route53': [allow('route53', 'GetChange', ['arn:aws:route53:::change/*'])],
  'AWS::Budgets': [allow('budgets', 'ModifyBudget ViewBudget *Tag*')],
  'AWS::EC2': [
    // CloudFormation calls these while it creates a resource, perhaps before the resource has its tags. Launch templates have no tags.
    allow(
      'ec2',
      'UpdateSecurityGroupRuleDescriptions* Allocate* Associate* Attach* Authorize* Create* Describe* Detach* ' +
        'Disassociate* DeleteLaunchTemplate* GetLaunchTemplateData Modify* Replace* Revoke* RunInstances',
    ),
    onTagged('ec2', 'Delete* ReleaseAddress StartInstances StopInstances TerminateInstances'),
  ],
  'AWS::ECS': [
    allow('ecs', 'CreateCluster CreateService Describe* List* PutCluster* *TaskDefinition* *Tag*'),
    onTagged('ecs', 'DeleteCluster DeleteService UpdateCluster* UpdateService'),
    linkRoles('ecs'),
  ],
  'AWS::ElasticLoadBalancingV2': [
    allow('elasticloadbalancing', 'Add* Create* Describe* Modify* Register* Remove* Set*'),
    onTagged('elasticloadbalancing', 'DeleteListener DeleteLoadBalancer DeleteTargetGroup DeregisterTargets'),
    linkRoles('elasticloadbalancing'),
  ],
  'AWS::ApplicationAutoScaling': [
    allow('application-autoscaling', 'Describe* List* Tag* Untag*'),
    allow('application-autoscaling', 'Delete* Deregister* Put* Register*', ['*'], {
      StringEquals: { 'application-autoscaling:service-namespace': 'ecs' },
    }),
    // A scaling policy creates alarms with the caller's permissions:
    // https://docs.aws.amazon.com/AmazonECS/latest/developerguide/auto-scaling-IAM.html
    allow('cloudwatch', 'DescribeAlarms PutMetricAlarm DeleteAlarms', [
      'arn:aws:cloudwatch:*:<account>:alarm:TargetTracking-*',
    ]),
    linkRoles('ecs.application-autoscaling'),
  ],
  Custom: [onNamed('lambda', 'function:', 'InvokeFunction')],
};

/** Resources with the name of the deployment. */
function onNamed(service: string, kind: string, verbs = MANAGE): Statement {
  return allow(service, verbs, [`arn:aws:${service}:*:<account>:${kind}<name>*`]);
}

/** Resources without a name of ours, but with the tags of the deployment. */
function onTagged(service: string, verbs: string): Statement {
  const tags = { 'aws:ResourceTag/app': '<app>', 'aws:ResourceTag/stage': '<stage>' };
  return allow(service, verbs, ['*'], { StringLike: tags });
}

/** A service that creates a service-linked role in an account on first use. */
function linkRoles(service: string): Statement {
  return allow('iam', 'CreateServiceLinkedRole', [
    `arn:aws:iam::<account>:role/aws-service-role/${service}.amazonaws.com/*`,
  ]);
}
