import { describe, expect, jest, test } from '@jest/globals';
import type { Settings } from '../config/settingsSchema.ts';
import { onlyResourceOf, type Properties, resourcesOf, templateWith, textOf } from './testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const tls = {
  domainName: 'hosts.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
};
const template = (host: NonNullable<Settings['host']>, settings: Settings = {}) =>
  templateWith('Host', { ...settings, host });
const outputOf = (host: NonNullable<Settings['host']>, name: string) => textOf(template(host).Outputs?.[name]?.Value);
/** From which addresses which port is reached. */
const openings = (host: NonNullable<Settings['host']>) =>
  resourcesOf(template(host), 'AWS::EC2::SecurityGroup').flatMap(({ properties }) =>
    ((properties['SecurityGroupIngress'] ?? []) as Properties[]).map(({ CidrIp, FromPort }) => [CidrIp, FromPort]),
  );

describe('one host', () => {
  test('keeps one address over replacements where it is public', () => {
    const host = { network: 'public' } as const;
    expect(openings(host)).toEqual([['0.0.0.0/0', 5100]]);
    const { properties } = onlyResourceOf(template(host), 'AWS::EC2::EIP');
    expect(textOf(properties['InstanceId'])).toMatch(/^\{HostMachineInstance/);
    expect(outputOf(host, 'StreamingUri')).toBe('ws://{HostAddress}:5100');
    expect(resourcesOf(template(true), 'AWS::EC2::EIP')).toEqual([]);
  });

  describe('with TLS', () => {
    const host = { network: 'public', tls } as const;

    test('is behind CloudFront, and admits no addresses', () => {
      expect(openings(host)).toEqual([]);
      expect(resourcesOf(template(host), 'AWS::EC2::EIP')).toEqual([]);
      const { properties } = onlyResourceOf(template(host), 'AWS::CloudFront::Distribution');
      expect(properties['DistributionConfig']).toMatchObject({
        Aliases: ['hosts.example.com'],
        DefaultCacheBehavior: { ViewerProtocolPolicy: 'https-only' },
      });
      expect(onlyResourceOf(template(host), 'AWS::CloudFront::VpcOrigin').properties).toMatchObject({
        VpcOriginEndpointConfig: { HTTPPort: 5100, OriginProtocolPolicy: 'http-only' },
      });
      expect([outputOf(host, 'StreamingUri'), outputOf(host, 'PollingUri')]).toEqual([
        'wss://hosts.example.com',
        'https://hosts.example.com',
      ]);
      expect(outputOf(host, 'DomainTarget')).toMatch(/^\{EdgeDistribution.*DomainName\}$/);
    });

    test('has another VPC origin for another instance, as one in use cannot be changed', () => {
      const originOf = (settings: Settings) => {
        const { id, properties } = onlyResourceOf(template(host, settings), 'AWS::CloudFront::VpcOrigin');
        return [id, textOf((properties['VpcOriginEndpointConfig'] as Properties)['Name'])];
      };
      const [id, name] = originOf({});
      expect(originOf({})).toEqual([id, name]);
      const changed = originOf({ missingAttribute: 'no-match' });
      expect(changed).not.toContain(id);
      expect(changed).not.toContain(name);
    });
  });

  test.each([{}, { network: 'public' }] as const)('is reached from the allowed ranges, and no others: %j', (more) => {
    expect(openings({ ...more, allowedCidrs: ['10.8.0.0/16'] })).toEqual([['10.8.0.0/16', 5100]]);
  });
});
