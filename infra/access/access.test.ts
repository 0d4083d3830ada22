import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { variants } from '../../dev/verify/checks/variants.ts';
import type { Template } from '../inProcess.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';
import { deployerPolicy } from './deployerPolicy.ts';
import { executionPolicy } from './executionPolicy.ts';
import { githubTrust, githubWorkflow } from './github.ts';

jest.setTimeout(60_000);

const ACCOUNT = '123456789012';
/** Of a managed policy, without white space: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
const MOST_CHARACTERS = 6_144;

describe('the policy of CloudFormation', () => {
  test.each(Object.keys(variants))('for %s knows every type, and fits into a managed policy', (name) => {
    const policy = executionPolicy(synthesizedTemplates(variants[name]), ACCOUNT);
    expect(JSON.stringify(policy).length).toBeLessThanOrEqual(MOST_CHARACTERS);
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
    const { Statement } = executionPolicy(synthesizedTemplates(variants['prod']), ACCOUNT);
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

  test('is refused for a type that nobody has thought of', () => {
    const templates = { 'Flagwire-dev-Data': { Resources: { Trail: { Type: 'AWS::CloudTrail::Trail' } } } };
    expect(() => executionPolicy(templates)).toThrow('No permission is known for resources of AWS::CloudTrail');
  });
});

test('who deploys may take on the roles of cdk bootstrap, and read all that preflight reads', () => {
  const [roles, reads] = deployerPolicy(ACCOUNT).Statement;
  expect(roles?.Resource).toContain('arn:aws:iam::123456789012:role/cdk-hnb659fds-deploy-role-123456789012-*');
  const sources = ['account.ts', 'accountState.ts'].map((name) =>
    readFileSync(join(import.meta.dirname, '../preflight', name), 'utf8'),
  );
  const read = [...sources.join('\n').matchAll(/\b([a-z0-9]{3,}:(?:GET|[A-Z][a-z]\w+))\b(?!\*)/g)].map(
    ([, action]) => action,
  );
  expect(read.length).toBeGreaterThan(5);
  expect(reads?.Action).toEqual(expect.arrayContaining(read as string[]));
});

test('GitHub takes on a role by the environment of its workflow, and the workflow deploys the stage', () => {
  const stage = { stage: 'prod', account: ACCOUNT, region: 'eu-west-1' };
  expect(JSON.stringify(githubTrust(stage, 'acme/flags'))).toContain('"repo:acme/flags:environment:prod"');
  const workflow = githubWorkflow(stage);
  expect(workflow).toContain('environment: prod');
  expect(workflow).toContain('role-to-assume: arn:aws:iam::123456789012:role/flagwire-deploy-prod');
  expect(workflow).toContain('npm run deploy -- prod --require-approval never');
  expect(githubWorkflow({ stage: 'dev' })).toContain('aws-region: <region>');
});
