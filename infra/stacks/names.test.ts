import { describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

/** Everything that a stack can have. */
const all: Settings = {
  host: { loadGenerator: true },
  fargate: { allowInsecure: true },
  alarmEmail: 'ops@example.com',
  monthlyBudget: 5,
  streamingExecutionLogs: true,
  operatorPolicies: true,
};

/** Names that AWS has no second of in an account and region: stacks, their exports, and what a template names. */
function namesOf(settings: Settings): string[] {
  return Object.entries(synthesizedTemplates(readConfig({ ...all, ...settings }))).flatMap(([stack, template]) => [
    stack,
    ...Object.values(template.Outputs ?? {}).flatMap(({ Export }) => Export?.Name ?? []),
    ...Object.values(template.Resources).flatMap(({ Type, Properties = {} }) =>
      Object.entries(Properties)
        .filter(([property, value]) => isOwnName(Type, property) && isSameElsewhere(value))
        .map(([property, value]) => `${Type} ${property} ${JSON.stringify(value)}`),
    ),
  ]);
}

/** Whether a property names the resource itself, and AWS takes no second one of the name. */
function isOwnName(type: string, property: string): boolean {
  const shared = [
    // API Gateway goes by ids, and a stage's name is within its API.
    'AWS::ApiGatewayV2::Api Name',
    'AWS::ApiGatewayV2::Stage StageName',
    'AWS::ApiGatewayV2::Authorizer Name',
    // Names of something else: what a permission, mapping or target is for.
    'AWS::Lambda::Permission FunctionName',
    'AWS::Lambda::EventSourceMapping FunctionName',
    'AWS::Lambda::EventInvokeConfig FunctionName',
    'AWS::IAM::Policy PolicyName',
    'AWS::ApplicationAutoScaling::ScalingPolicy PolicyName',
    'AWS::CloudWatch::Alarm MetricName',
    'AWS::SNS::Topic DisplayName',
    'AWS::EC2::VPCEndpoint ServiceName',
  ];
  return /Name$/.test(property) && !shared.includes(`${type} ${property}`);
}

/** A reference to a resource of the stack is another one in each. */
function isSameElsewhere(value: unknown): boolean {
  return !/"Fn::GetAtt"|"Ref":"(?!AWS::)/.test(JSON.stringify(value));
}

describe('two deployments in one account and region', () => {
  test.each<[string, Settings, Settings]>([
    ['stages', { stage: 'dev' }, { stage: 'test' }],
    ['names', { name: 'Flagwire' }, { name: 'Shop' }],
    ['stages of which one begins as the other', { stage: 'dev' }, { stage: 'dev-fargate' }],
  ])('share no name, by their %s', (_, one, other) => {
    const names = namesOf(one);
    expect(names.length).toBeGreaterThan(30);
    expect(namesOf(other).filter((name) => names.includes(name))).toEqual([]);
  });

  test('have tags and metrics of their own', () => {
    const own = (name: string) => JSON.stringify(Object.values(synthesizedTemplates(readConfig({ name }))));
    expect(own('Shop')).toContain('{"Key":"app","Value":"shop"}');
    expect(own('Shop')).toContain('"STAGE":"Shop-dev"');
    expect(own('Shop')).not.toContain('Flagwire-dev');
  });
});

test('the longest name and stage leave room in a stack’s name, of at most 128 characters', () => {
  const templates = synthesizedTemplates(readConfig({ ...all, name: 'N'.repeat(30), stage: 's'.repeat(20) }));
  for (const stack of Object.keys(templates)) expect(stack.length).toBeLessThanOrEqual(128);
});

test('all roles have the permissions boundary that is set', () => {
  const permissionsBoundaryArn = 'arn:aws:iam::123456789012:policy/boundary';
  const templates = Object.values(synthesizedTemplates(readConfig({ ...all, permissionsBoundaryArn })));
  const roles = templates.flatMap(({ Resources }) =>
    Object.values(Resources).filter(({ Type }) => Type === 'AWS::IAM::Role'),
  );
  expect(roles.length).toBeGreaterThan(10);
  for (const { Properties } of roles) expect(Properties?.['PermissionsBoundary']).toBe(permissionsBoundaryArn);
});
