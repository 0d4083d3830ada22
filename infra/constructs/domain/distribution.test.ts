import { describe, expect, jest, test } from '@jest/globals';
import type { Settings } from '../../config/settingsSchema.ts';
import { onlyResourceOf, resourcesOf, templateWith } from '../../stacks/testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef';
const hostedZoneId = 'Z1QWERTYUIOPLK';
const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/flags/0a1b2c3d-4e5f-6789-abcd-ef0123456789';
const name = 'flags.example.com';
const named = { domainName: name, certificateArn };

type Case = [stack: 'Serverless' | 'Host', settings: (more: object) => Settings];
const cases: Case[] = [
  ['Serverless', (more) => ({ domain: { name, certificateArn, ...more } })],
  ['Host', (more) => ({ host: true, frontDoor: { ...named, ...more } })],
  ['Host', (more) => ({ host: { network: 'public', tls: { ...named, ...more } } })],
];

describe.each(cases)('a distribution in %s', (stack, settings) => {
  const distributionWith = (more = {}) =>
    onlyResourceOf(templateWith(stack, settings(more)), 'AWS::CloudFront::Distribution');

  test('keeps no error of an origin', () => {
    expect(distributionWith().properties['DistributionConfig']).toHaveProperty(
      'CustomErrorResponses',
      [404, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 })),
    );
  });

  test('has a web ACL if one is set', () => {
    expect(distributionWith().properties['DistributionConfig']).not.toHaveProperty('WebACLId');
    expect(distributionWith({ webAclArn }).properties['DistributionConfig']).toHaveProperty('WebACLId', webAclArn);
  });

  test('has records for IPv4 and IPv6 in the hosted zone if one is set', () => {
    expect(resourcesOf(templateWith(stack, settings({})), 'AWS::Route53::RecordSet')).toEqual([]);
    const DNSName = { 'Fn::GetAtt': [distributionWith({ hostedZoneId }).id, 'DomainName'] };
    const records = resourcesOf(templateWith(stack, settings({ hostedZoneId })), 'AWS::Route53::RecordSet');
    expect(records.map(({ properties }) => properties)).toEqual(
      ['A', 'AAAA'].map((Type) => ({
        Name: name,
        Type,
        HostedZoneId: hostedZoneId,
        AliasTarget: { DNSName, HostedZoneId: 'Z2FDTNDATAQYW2' },
      })),
    );
  });
});

test('a load balancer has a record in the hosted zone', () => {
  const regional = { ...named, certificateArn: certificateArn.replace('us-east-1', 'eu-west-1'), hostedZoneId };
  const template = templateWith('Fargate', { fargate: { tls: regional } });
  const { id } = onlyResourceOf(template, 'AWS::ElasticLoadBalancingV2::LoadBalancer');
  expect(onlyResourceOf(template, 'AWS::Route53::RecordSet').properties).toEqual({
    Name: name,
    Type: 'A',
    HostedZoneId: hostedZoneId,
    AliasTarget: {
      DNSName: { 'Fn::GetAtt': [id, 'DNSName'] },
      HostedZoneId: { 'Fn::GetAtt': [id, 'CanonicalHostedZoneID'] },
    },
  });
});
