import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, jest, test } from '@jest/globals';
import { variants } from '../../dev/verify/checks/variants.ts';
import { readConfig } from '../config/config.ts';
import type { Template } from '../inProcess.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';
import { deployerPolicy } from './deployerPolicy.ts';
import { executionPolicies, MOST_CHARACTERS } from './executionPolicy.ts';
import type { Policy } from './policy.ts';

jest.setTimeout(60_000);

const ACCOUNT = '123456789012';

/** The statements of all policies, as a role has them. */
function executionPolicy(...parameters: Parameters<typeof executionPolicies>): Policy {
  return { Version: '2012-10-17', Statement: executionPolicies(...parameters).flatMap(({ Statement }) => Statement) };
}

/** What all variants have together, under the longest name and stage. */
function unionOfAll(): Record<string, Template> {
  const templates = Object.values(variants).flatMap((config) => Object.values(synthesizedTemplates(config)));
  return Object.fromEntries(templates.map((template, at) => [`${'N'.repeat(30)}-${'s'.repeat(20)}-${at}`, template]));
}

describe('the policies of CloudFormation', () => {
  test('for all settings together and the longest names each fit into a managed policy', () => {
    const templates = unionOfAll();
    const policies = executionPolicies(templates, { account: ACCOUNT });
    expect(policies.length).toBeGreaterThan(1);
    // A role takes ten: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    expect(policies.length).toBeLessThanOrEqual(5);
    for (const policy of policies) expect(JSON.stringify(policy).length).toBeLessThanOrEqual(MOST_CHARACTERS);
    const actions = executionPolicy(templates).Statement.flatMap(({ Action }) => Action);
    for (const config of Object.values(variants))
      expect(actions).toEqual(
        expect.arrayContaining(executionPolicy(synthesizedTemplates(config)).Statement.flatMap(({ Action }) => Action)),
      );
  });

  test('let scaling policies of Fargate make, change and remove their alarms', () => {
    const policy = executionPolicy(synthesizedTemplates(variants['prod with Fargate']), { account: ACCOUNT });
    const alarm = `arn:aws:cloudwatch:eu-west-1:${ACCOUNT}:alarm:TargetTracking-service/cluster/hosts-AlarmHigh-0a1b2c3d`;
    for (const action of ['DescribeAlarms', 'PutMetricAlarm', 'DeleteAlarms'])
      expect([action, isAllowed(policy, `cloudwatch:${action}`, alarm)]).toEqual([action, true]);
  });

  test('allows what the templates have, and nothing of other services', () => {
    const actions = (templates: Record<string, Template>) =>
      new Set(executionPolicy(templates).Statement.flatMap(({ Action }) => Action.map((each) => each.split(':')[0])));
    const prod = actions(synthesizedTemplates(variants['prod']));
    expect(prod).toContain('dynamodb');
    for (const absent of ['ec2', 'ecs', 'cloudfront', 'budgets', 'route53', 'elasticloadbalancing'])
      expect(prod).not.toContain(absent);
    expect(actions(synthesizedTemplates(variants['prod with Fargate']))).toContain('ecs');
  });

  test('reads and writes no data, and makes roles of the deployment only', () => {
    const { Statement } = executionPolicy(synthesizedTemplates(variants['prod']), { account: ACCOUNT });
    for (const { Action, Resource } of Statement) {
      for (const action of Action) expect(action).not.toMatch(/^(dynamodb|sqs|iam|lambda|s3):\*$/);
      if (Action.some((action) => action.startsWith('iam:')))
        for (const arn of Resource) expect(arn).toMatch(/^arn:aws:iam::123456789012:[\w-]+\/Flagwire-prod-\*$/);
    }
    const onTables = Statement.filter(({ Action }) => Action.some((action) => action.startsWith('dynamodb:')));
    expect(onTables.flatMap(({ Action }) => Action).join(' ')).not.toMatch(
      /Item|Query|Scan|dynamodb:(Get|Put|Update)\*/,
    );
  });

  test('covers names that CloudFormation cuts, with the longest name and stage', () => {
    const deployment = `${'N'.repeat(30)}-${'s'.repeat(20)}`;
    const templates = Object.fromEntries(
      Object.entries(synthesizedTemplates(variants['dev with everything'])).map(([stack, template]) => [
        stack.replace('Flagwire-dev', deployment),
        template,
      ]),
    );
    const policy = executionPolicy(templates, { account: ACCOUNT });
    const stack = `${deployment}-Serverless`;
    for (const [action, arn] of [
      ['iam:CreateRole', `arn:aws:iam::${ACCOUNT}:role/${generatedName(stack, 64)}`],
      ['iam:PassRole', `arn:aws:iam::${ACCOUNT}:role/${generatedName(stack, 64)}`],
      ['lambda:CreateFunction', `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${generatedName(stack, 64)}`],
      ['lambda:InvokeFunction', `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:${generatedName(stack, 64)}`],
      ['sqs:CreateQueue', `arn:aws:sqs:eu-west-1:${ACCOUNT}:${generatedName(stack, 80)}`],
      [
        'firehose:CreateDeliveryStream',
        `arn:aws:firehose:eu-west-1:${ACCOUNT}:deliverystream/${generatedName(stack, 64)}`,
      ],
      ['events:PutRule', `arn:aws:events:eu-west-1:${ACCOUNT}:rule/${generatedName(stack, 64)}`],
      ['s3:CreateBucket', `arn:aws:s3:::${generatedName(stack, 63).toLowerCase()}`],
      ['dynamodb:CreateTable', `arn:aws:dynamodb:eu-west-1:${ACCOUNT}:table/${generatedName(stack, 255)}`],
      ['logs:CreateLogGroup', `arn:aws:logs:eu-west-1:${ACCOUNT}:log-group:${generatedName(stack, 512)}`],
      ['cloudwatch:PutMetricAlarm', `arn:aws:cloudwatch:eu-west-1:${ACCOUNT}:alarm:${deployment}-http-5xx`],
      ['cloudformation:DescribeStacks', `arn:aws:cloudformation:eu-west-1:${ACCOUNT}:stack/${stack}/0a1b2c3d`],
    ] as const)
      expect([action, arn, isAllowed(policy, action, arn)]).toEqual([action, arn, true]);
  });

  test('passes roles, and scales, for the services of its stacks alone', () => {
    const templates = synthesizedTemplates(variants['prod with Fargate']);
    const { Statement: statements } = executionPolicy(templates, { account: ACCOUNT });
    const conditionOf = (action: string) => statements.find(({ Action }) => Action.includes(action))?.Condition;
    expect(conditionOf('iam:PassRole')).toMatchObject({
      StringEquals: { 'iam:PassedToService': expect.arrayContaining(['lambda.amazonaws.com']) },
    });
    expect(conditionOf('application-autoscaling:Put*')).toEqual({
      StringEquals: { 'application-autoscaling:service-namespace': 'ecs' },
    });
    expect(JSON.stringify(statements)).not.toMatch(/[<>]|undefined/);
  });

  test('reads the policy of a table, as CloudFormation does to read a table', () => {
    const policy = executionPolicy(synthesizedTemplates(variants['prod']), { account: ACCOUNT });
    for (const action of ['GetResourcePolicy', 'ListTagsOfResource', 'DescribeContributorInsights'])
      expect(
        isAllowed(policy, `dynamodb:${action}`, `arn:aws:dynamodb:eu-west-1:${ACCOUNT}:table/Flagwire-prod-Data-Flags`),
      ).toBe(true);
  });

  test('delete and stop only what has the tags of the deployment', () => {
    const prod = { account: ACCOUNT, name: 'Flagwire', stage: 'prod' };
    const Statement = Object.values(variants).flatMap(
      (config) => executionPolicy(synthesizedTemplates(config), prod).Statement,
    );
    const tags = { StringLike: { 'aws:ResourceTag/app': 'flagwire', 'aws:ResourceTag/stage': 'prod' } };
    for (const action of [
      ...['ec2:TerminateInstances', 'ec2:DeleteVpc', 'ec2:ReleaseAddress', 'ecs:DeleteService', 'ecs:UpdateService'],
      ...['elasticloadbalancing:DeleteLoadBalancer', 'cloudfront:UpdateDistribution', 'cloudfront:DeleteDistribution'],
    ]) {
      const allowing = Statement.filter((each) => isAllowed({ Version: '2012-10-17', Statement: [each] }, action, '*'));
      expect([
        action,
        allowing.length > 0,
        allowing.filter(({ Condition }) => !isDeepStrictEqual(Condition, tags)),
      ]).toEqual([action, true, []]);
    }
  });

  test('rely on tags that every resource of these types has', () => {
    const types =
      /^AWS::(EC2::(Instance|InternetGateway|RouteTable|SecurityGroup|Subnet|VPC|VPCEndpoint|EIP)|ECS::(Cluster|Service)|ElasticLoadBalancingV2::(Listener|LoadBalancer|TargetGroup)|CloudFront::Distribution)$/;
    const seen = new Set<string>();
    for (const template of Object.values(unionOfAll()))
      for (const [id, { Type, Properties = {} }] of Object.entries(template.Resources)) {
        if (!types.test(Type)) continue;
        seen.add(Type);
        const keys = [...JSON.stringify(Properties).matchAll(/"Key":"(app|stage)"/g)].map(([, key]) => key);
        expect([id, keys]).toEqual([id, expect.arrayContaining(['app', 'stage'])]);
      }
    expect(seen.size).toBeGreaterThan(12);
  });

  test('create service-linked roles only of services that the templates use', () => {
    const linked = Object.values(variants)
      .flatMap((config) => executionPolicy(synthesizedTemplates(config)).Statement)
      .filter(({ Action }) => Action.includes('iam:CreateServiceLinkedRole'))
      .flatMap(({ Resource }) => Resource);
    expect([...new Set(linked)].map((arn) => arn.split('/')[2]).sort()).toEqual([
      'ecs.amazonaws.com',
      'ecs.application-autoscaling.amazonaws.com',
      'elasticloadbalancing.amazonaws.com',
      'ops.apigateway.amazonaws.com',
      'vpcorigin.cloudfront.amazonaws.com',
    ]);
  });

  test('is refused for a type that nobody has thought of', () => {
    const templates = { 'Flagwire-dev-Data': { Resources: { Trail: { Type: 'AWS::CloudTrail::Trail' } } } };
    expect(() => executionPolicy(templates)).toThrow('No permission is known for resources of AWS::CloudTrail');
  });
});

test('who deploys may take on the roles of cdk bootstrap, and read all that preflight reads', () => {
  const [roles, ...reads] = deployerPolicy({ account: ACCOUNT }).Statement;
  expect(roles?.Resource).toContain('arn:aws:iam::123456789012:role/cdk-hnb659fds-deploy-role-123456789012-*');
  const sources = ['account.ts', 'accountState.ts', 'bootstrap.ts', 'entryState.ts'].map((name) =>
    readFileSync(join(import.meta.dirname, '../preflight', name), 'utf8'),
  );
  const read = [...sources.join('\n').matchAll(/\b([a-z0-9]{3,}:(?:GET|[A-Z][a-z]\w+))\b(?!\*)/g)].map(
    ([, action]) => action,
  );
  expect(read.length).toBeGreaterThan(5);
  expect(reads.flatMap(({ Action }) => Action)).toEqual(expect.arrayContaining(read as string[]));
});

test('with a qualifier, templates and policies name that bootstrap', () => {
  const bootstrapQualifier = 'platform';
  const config = readConfig({ stage: 'prod', bootstrapQualifier });
  const templates = synthesizedTemplates(config);
  expect(JSON.stringify(templates)).toContain('/cdk-bootstrap/platform/version');
  expect(JSON.stringify(templates)).not.toContain('hnb659fds');
  const policies = JSON.stringify([deployerPolicy(config), executionPolicies(templates, config)]);
  expect(policies).toContain('arn:aws:iam::*:role/cdk-platform-deploy-role-*-*');
  expect(policies).toContain('arn:aws:s3:::cdk-platform-assets-*-*/*');
  expect(policies).not.toContain('hnb659fds');
});

/** A name as CloudFormation makes it: where it would be too long, stack name and logical id are cut to half of what is left each. */
function generatedName(stack: string, longest: number): string {
  const suffix = '1GRP3N0TVA1LD';
  const logicalId = 'StreamingConnectHandlerServiceRole0123ABCD';
  const half = Math.floor((longest - suffix.length - 2) / 2);
  const isCut = [stack, logicalId, suffix].join('-').length > longest;
  return [...[stack, logicalId].map((part) => (isCut ? part.slice(0, half) : part)), suffix].join('-');
}

function isAllowed({ Statement }: Policy, action: string, arn: string): boolean {
  const matches = (pattern: string, text: string) =>
    new RegExp(
      `^${pattern
        .split('*')
        .map((part) => part.replaceAll(/[.$/]/g, '\\$&'))
        .join('.*')}$`,
    ).test(text);
  return Statement.some(
    ({ Action, Resource }) =>
      Action.some((each) => matches(each, action)) && Resource.some((each) => matches(each, arn)),
  );
}
