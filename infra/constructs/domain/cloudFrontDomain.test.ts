import { describe, expect, test } from '@jest/globals';
import { onlyResourceOf, resourcesOf, templateWith, textOf } from '../../stacks/testing/templates.ts';

const domain = {
  name: 'flags.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
};
const withZone = { stage: 'prod', domain: { ...domain, hostedZoneId: 'Z0123456789ABC' } };

interface Behavior {
  readonly PathPattern?: string;
  readonly TargetOriginId: string;
}

interface Distribution {
  readonly Aliases: string[];
  readonly DefaultCacheBehavior: Behavior;
  readonly CacheBehaviors: Behavior[];
  readonly Origins: { readonly Id: string; readonly DomainName: unknown; readonly CustomOriginConfig: unknown }[];
  readonly Logging?: unknown;
}

describe('with a domain name', () => {
  const template = templateWith('Serverless', { stage: 'prod', domain });
  const { properties } = onlyResourceOf(template, 'AWS::CloudFront::Distribution');
  const distribution = properties['DistributionConfig'] as Distribution;

  test('one host serves it, with the certificate given', () => {
    expect(distribution).toMatchObject({
      Aliases: ['flags.example.com'],
      ViewerCertificate: {
        AcmCertificateArn: domain.certificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    });
  });

  test('a web ACL stands before it where one is given', () => {
    const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/flags/0a1b2c3d';
    const guarded = templateWith('Serverless', { stage: 'prod', domain: { ...domain, webAclArn } });
    expect(onlyResourceOf(guarded, 'AWS::CloudFront::Distribution').properties['DistributionConfig']).toMatchObject({
      WebACLId: webAclArn,
    });
    expect(distribution).not.toHaveProperty('WebACLId');
  });

  test('/streaming goes to the WebSocket API as it is, so to its stage; every other path to the HTTP API', () => {
    const [streaming, ...others] = distribution.CacheBehaviors;
    expect(others).toEqual([]);
    expect(streaming?.PathPattern).toBe('/streaming*');
    expect(apiBehind(streaming)).toBe('StreamingApi');
    expect(apiBehind(distribution.DefaultCacheBehavior)).toBe('PollingApi');
    for (const origin of distribution.Origins) expect(origin).not.toHaveProperty('OriginPath');
  });

  test('nothing is cached, and everything but Host is passed on, over TLS only', () => {
    // The ids are those of AWS's managed policies CachingDisabled and AllViewerExceptHostHeader.
    for (const behavior of [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors]) {
      expect(behavior).toMatchObject({
        CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
        OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        ViewerProtocolPolicy: 'https-only',
        AllowedMethods: expect.arrayContaining(['GET', 'POST', 'OPTIONS']),
      });
    }
    for (const { CustomOriginConfig } of distribution.Origins) {
      expect(CustomOriginConfig).toEqual({ OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] });
    }
  });

  test('it keeps no access log, which would hold the tokens in query strings', () => {
    expect(distribution.Logging).toBeUndefined();
  });

  test('the outputs are URLs of that host, and what it has to point to', () => {
    const { Outputs = {} } = template;
    expect(Outputs['StreamingUri']?.Value).toBe('wss://flags.example.com');
    expect(Outputs['PollingUri']?.Value).toBe('https://flags.example.com');
    expect(Outputs['EventsUri']?.Value).toBe('https://flags.example.com');
    expect(textOf(Outputs['DomainTarget']?.Value)).toBe('{HostDistribution.DomainName}');
  });

  test('addresses are added to the hosted zone, if one is named', () => {
    expect(resourcesOf(template, 'AWS::Route53::RecordSet')).toEqual([]);
    const records = resourcesOf(templateWith('Serverless', withZone), 'AWS::Route53::RecordSet');
    expect(records.map((record) => record.properties['Type'])).toEqual(['A', 'AAAA']);
    for (const record of records) {
      const alias = record.properties['AliasTarget'] as { DNSName: unknown; HostedZoneId: string };
      expect(record.properties).toMatchObject({ Name: 'flags.example.com', HostedZoneId: 'Z0123456789ABC' });
      expect(textOf(alias.DNSName)).toBe('{HostDistribution.DomainName}');
      expect(alias.HostedZoneId).toBe('Z2FDTNDATAQYW2');
    }
  });

  /** The WebSocket or HTTP API whose execute-api host is the behavior's origin. */
  function apiBehind(behavior: Behavior | undefined): string {
    const origins = distribution.Origins.filter(({ Id }) => Id === behavior?.TargetOriginId);
    const [host] = origins.map(
      ({ DomainName }) => DomainName as { 'Fn::Select': [number, { 'Fn::Split': unknown[] }] },
    );
    const [index, { 'Fn::Split': split = [] }] = host?.['Fn::Select'] ?? [0, { 'Fn::Split': [] }];
    expect([index, split[0]]).toEqual([2, '/']);
    const executeApi = /^\w+:\/\/\{(\w+)\}\.execute-api\.\{AWS::Region\}\.\{AWS::URLSuffix\}$/;
    return executeApi.exec(textOf(split[1]))?.[1] ?? '';
  }
});

test('without one there is no CloudFront', () => {
  expect(resourcesOf(templateWith('Serverless', { stage: 'prod' }), 'AWS::CloudFront::Distribution')).toEqual([]);
});
