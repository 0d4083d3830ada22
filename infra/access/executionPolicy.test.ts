import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';
import { executionPolicies } from './executionPolicy.ts';
import type { Statement } from './policy.ts';

const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef';
const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';
const regionalDomain = {
  streamingName: 'streaming.example.com',
  httpName: 'flags.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
  hostedZoneId: 'Z0123456789ABC',
};

describe('the policies of CloudFormation', () => {
  const without = statements({ stage: 'prod' });

  test('has names of API Gateway, their records and the role that API Gateway makes, where there are names', () => {
    const added = difference(statements({ stage: 'prod', regionalDomain }), without);
    expect(added.map(({ Action, Resource }) => [Action[0], Resource])).toEqual([
      ['apigateway:*', ['arn:aws:apigateway:*::/domainnames*']],
      ['iam:CreateServiceLinkedRole', ['arn:aws:iam::*:role/aws-service-role/ops.apigateway.amazonaws.com/*']],
      ['route53:GetChange', ['arn:aws:route53:::change/*']],
      ['route53:ChangeResourceRecordSets', ['arn:aws:route53:::hostedzone/Z0123456789ABC']],
    ]);
  });

  test('lets services have grants on the key of the customer, and uses no other', () => {
    const added = difference(statements({ stage: 'prod', kmsKeyArn }), without);
    expect(added.map(({ Resource }) => Resource)).toEqual([[kmsKeyArn], ['*']]);
    expect(added[0]?.Action).toEqual(expect.arrayContaining(['kms:CreateGrant', 'kms:DescribeKey', 'kms:Decrypt']));
    expect(added[1]?.Action).toEqual(['kms:ListAliases']);
  });

  test('lets the secrets of the front door be read, and no others', () => {
    const frontDoor = { domainName: 'flags.example.com', certificateArn: CERTIFICATE, secrets: ['a', 'b'], only: true };
    const door = statements({ stage: 'prod', host: true, frontDoor });
    const added = difference(door, statements({ stage: 'prod', host: true }));
    expect(added.map(({ Action: [action] }) => action)).toEqual([
      'cloudfront:CreateDistribution*',
      'cloudfront:UpdateDistribution',
      'wafv2:GetWebACL',
      'iam:CreateServiceLinkedRole',
      'lambda:InvokeFunction',
      'secretsmanager:GetSecretValue',
    ]);
    const arns = ['a', 'b'].map((name) => `arn:aws:secretsmanager:*:*:secret:${name}-??????`);
    expect(added.at(-1)?.Resource.toSorted()).toEqual(arns);
    expect(
      statements({ stage: 'prod', host: true, frontDoor: { ...frontDoor, secrets: ['a'], only: false } }),
    ).toContainEqual(expect.objectContaining({ Resource: arns.slice(0, 1) }));
  });

  test('lets log groups have a key, and be without it again', () => {
    const onLogs = without.find(
      ({ Action }) => Action.includes('logs:PutRetentionPolicy') || Action.includes('logs:Put*'),
    );
    expect(onLogs?.Action).toEqual(expect.arrayContaining(['logs:AssociateKmsKey', 'logs:DisassociateKmsKey']));
  });
});

function statements(settings: Settings): readonly Statement[] {
  return executionPolicies(synthesizedTemplates(readConfig(settings))).flatMap(({ Statement }) => Statement);
}

function difference(all: readonly Statement[], known: readonly Statement[]): Statement[] {
  const texts = new Set(known.map((statement) => JSON.stringify(statement)));
  return all.filter((statement) => !texts.has(JSON.stringify(statement)));
}
