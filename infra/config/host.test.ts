import { describe, expect, test } from '@jest/globals';
import { readConfig } from './config.ts';
import type { Settings } from './settingsSchema.ts';

const certificate = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`;
const tls = (region: string) => ({ domainName: 'hosts.example.com', certificateArn: certificate(region) });
const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/flags/0a1b2c3d';
const read = (host: NonNullable<Settings['host']>, settings: Settings = {}) => readConfig({ ...settings, host }).host;

describe('settings of the host', () => {
  test('are those of FeatBit’s benchmark where nothing is said', () => {
    expect(read(true)).toEqual({
      instanceType: 't2.micro',
      count: 1,
      network: 'private',
      allowInsecure: false,
      spot: false,
      credits: 'standard',
      metricsSeconds: 60,
      pollIntervalMs: 50,
      fastPollSeconds: 60,
    });
  });

  test.each([{}, { count: 3 }])(
    'refuse a public host without TLS outside dev, unless it is said to be meant: %p',
    (more) => {
      const open = { ...more, network: 'public' } as const;
      expect(() => read(open, { stage: 'prod' })).toThrow('host.network=public cannot be used without TLS');
      expect(read({ ...open, allowInsecure: true }, { stage: 'prod' })).toMatchObject(open);
      expect(read(open)).toMatchObject(open);
    },
  );

  test('take a certificate from where CloudFront or the balancer looks for it', () => {
    const region = { stage: 'prod', region: 'eu-west-1' };
    expect(read({ network: 'public', tls: tls('us-east-1') }, region)).toBeDefined();
    expect(() => read({ network: 'public', tls: tls('eu-west-1') }, region)).toThrow(
      'needs a certificate in us-east-1',
    );
    expect(read({ network: 'public', count: 2, tls: tls('eu-west-1') }, region)).toBeDefined();
    expect(() => read({ network: 'public', count: 2, tls: tls('us-east-1') }, region)).toThrow(
      'the region is eu-west-1',
    );
    expect(read({ network: 'public', count: 2, tls: tls('us-east-1') })).toBeDefined();
  });

  test.each<[NonNullable<Settings['host']>, string]>([
    [{ spot: true }, 'host.spot=true cannot be used: Spot needs two or more machines'],
    [{ tls: tls('us-east-1') }, 'host.tls cannot be used: clients reach one private machine'],
    [
      { count: 2, network: 'public', tls: { ...tls('us-east-1'), webAclArn } },
      'host.tls.webAclArn cannot be used with several hosts: a network load balancer takes no web ACL',
    ],
    [{ allowedCidrs: ['10.0.0.0'] }, 'host.allowedCidrs'],
    [
      { network: 'public', tls: tls('us-east-1'), allowedCidrs: ['10.0.0.0/8'] },
      'host.allowedCidrs cannot be used: clients reach one machine with TLS through CloudFront only',
    ],
    [
      { count: 2, availabilityZones: ['eu-west-1a'] },
      'host.availabilityZones=eu-west-1a cannot be used: name one zone',
    ],
    [
      { availabilityZones: ['eu-west-1a', 'eu-west-1b'] },
      'host.availabilityZones=eu-west-1a,eu-west-1b cannot be used',
    ],
    [{ pollIntervalMs: 5 }, 'host.pollIntervalMs=5'],
    [{ fastPollSeconds: -1 }, 'host.fastPollSeconds=-1'],
    [{ fastPollSeconds: 3_601 }, 'host.fastPollSeconds=3601'],
    [{ count: 0 }, 'host.count=0'],
  ])('are refused where they do not fit each other: %p', (host, message) => {
    expect(() => read(host)).toThrow(message);
  });
});
