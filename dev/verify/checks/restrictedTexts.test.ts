import { describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../../infra/config/config.ts';
import type { Settings } from '../../../infra/config/settingsSchema.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { textFindings } from './restrictedTexts.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const names = { name: 'N'.repeat(30), stage: 's'.repeat(20), region: 'ap-southeast-1' };
const domainName = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`;
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';
const common = { ...names, alarmEmail: 'ops@example.com', operatorPolicies: true, monthlyBudget: 5 };

describe('texts that AWS restricts', () => {
  test.each<[string, Settings]>([
    [
      'a front door, a domain and hosts',
      {
        host: { loadGenerator: true },
        frontDoor: { domainName, certificateArn },
        domain: { name: domainName.replace('a', 'z'), certificateArn },
        fargate: { allowInsecure: true },
      },
    ],
    ['a host behind CloudFront', { host: { network: 'public', tls: { domainName, certificateArn } } }],
  ])('are accepted with the longest names of %s', (_, settings) => {
    const templates = synthesizedTemplates(readConfig({ ...common, ...settings }));
    expect(Object.entries(templates).flatMap((each) => textFindings(...each))).toEqual([]);
  });

  test.each([
    ['AWS::EC2::SecurityGroup', { SecurityGroupIngress: [{ Description: "CloudFront's interfaces" }] }],
    ['AWS::EC2::SecurityGroupIngress', { Description: 'a <-> b' }],
    ['AWS::CloudFront::Distribution', { DistributionConfig: { Comment: 'a'.repeat(129) } }],
    ['AWS::CloudFront::KeyValueStore', { Name: { 'Fn::Join': ['', ['a'.repeat(51), { Ref: 'AWS::Region' }]] } }],
    ['AWS::EC2::Instance', { Tags: [{ Key: 'Name', Value: "the host's machine" }] }],
    ['AWS::New::Type', { Config: { Description: 'unknown' } }],
  ])('are found if they are wrong or unknown: %s %j', (Type, Properties) => {
    expect(textFindings('Stack', { Resources: { Id: { Type, Properties } } })).toHaveLength(1);
  });
});
