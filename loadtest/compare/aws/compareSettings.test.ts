import { afterEach, expect, jest, test } from '@jest/globals';
import { Command } from 'commander';
import { MOST_CHARACTERS } from '../../../infra/access/executionPolicy.ts';
import type { Policy } from '../../../infra/access/policy.ts';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { addCompare } from '../command.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

async function printed(...args: string[]): Promise<string> {
  const log = jest.spyOn(console, 'log').mockImplementation(() => {});
  const program = new Command();
  addCompare(program, async () => {});
  await program.parseAsync(['compare', ...args], { from: 'user' });
  return log.mock.calls.map(([line]) => String(line)).join('\n');
}

test('the policies of CloudFormation cover all services of a stage to compare', async () => {
  const policies = (await printed('--policy', 'execution')).split('\n').map((line) => JSON.parse(line) as Policy);
  for (const policy of policies) expect(JSON.stringify(policy).length).toBeLessThanOrEqual(MOST_CHARACTERS);
  const actions = policies.flatMap(({ Statement }) => Statement.flatMap(({ Action }) => Action));
  const granted = new Set(actions.map((action) => action.split(':')[0]));
  const config = readConfig({ stage: 'compare', host: { loadGenerator: true }, fargate: { allowInsecure: true } });
  const types = Object.values(synthesizedTemplates(config)).flatMap(({ Resources }) =>
    Object.values(Resources).map(({ Type }) => Type),
  );
  const services = types.flatMap((type) =>
    type.startsWith('AWS::') ? [SERVICES[type.split('::')[1] ?? ''] ?? type] : [],
  );
  expect(services).toEqual(expect.arrayContaining(['ec2', 'ecs', 'elasticloadbalancing', 'application-autoscaling']));
  expect([...new Set(services)].filter((service) => !granted.has(service))).toEqual([]);
  expect(policies.flatMap(({ Statement }) => Statement.flatMap(({ Resource }) => Resource)).join()).toContain(
    ':table/Flagwire-compare-*',
  );
});

test('prints the policy of who runs the comparison if no policy is named', async () => {
  const { Statement } = JSON.parse(await printed('--policy')) as Policy;
  expect(Statement.flatMap(({ Action }) => Action)).toContain('ssm:SendCommand');
});

/** What IAM calls services, by what CloudFormation calls them. */
const SERVICES: Readonly<Record<string, string>> = {
  ApiGatewayV2: 'apigateway',
  ApplicationAutoScaling: 'application-autoscaling',
  CloudWatch: 'cloudwatch',
  DynamoDB: 'dynamodb',
  EC2: 'ec2',
  ECS: 'ecs',
  ElasticLoadBalancingV2: 'elasticloadbalancing',
  Events: 'events',
  IAM: 'iam',
  KinesisFirehose: 'firehose',
  Lambda: 'lambda',
  Logs: 'logs',
  S3: 's3',
  SNS: 'sns',
  SQS: 'sqs',
};
