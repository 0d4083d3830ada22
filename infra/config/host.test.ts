import { describe, expect, test } from '@jest/globals';
import { parseSettings, readConfig } from './config.ts';
import { ConfigError } from './configError.ts';
import type { Settings } from './settingsSchema.ts';

const certificate = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`;
const tls = (region: string) => ({ domainName: 'hosts.example.com', certificateArn: certificate(region) });
const read = (host: NonNullable<Settings['host']>, settings: Settings = {}) => readConfig({ ...settings, host }).host;

describe('settings of the host', () => {
  test('are those of FeatBit’s benchmark where nothing is said', () => {
    expect(read(true)).toEqual({
      instanceType: 't2.micro',
      network: 'private',
      allowInsecure: false,
      credits: 'standard',
      metricsSeconds: 60,
      pollIntervalMs: 50,
      fastPollSeconds: 60,
    });
  });

  test('refuse a public host without TLS outside dev, unless it is said to be meant', () => {
    const open = { network: 'public' } as const;
    expect(() => read(open, { stage: 'prod' })).toThrow('host.network=public cannot be used without TLS');
    expect(read({ ...open, allowInsecure: true }, { stage: 'prod' })).toMatchObject(open);
    expect(read(open)).toMatchObject(open);
  });

  test('take a certificate from where CloudFront looks for it', () => {
    const region = { stage: 'prod', region: 'eu-west-1' };
    expect(read({ network: 'public', tls: tls('us-east-1') }, region)).toBeDefined();
    expect(() => read({ network: 'public', tls: tls('eu-west-1') }, region)).toThrow(
      'not the ARN of an ACM certificate in us-east-1',
    );
  });

  test.each<object>([
    { count: 2 },
    { count: 'two' },
    { spot: true },
    { availabilityZones: ['eu-west-1a', 'eu-west-1b'] },
  ])('name Fargate for several machines: %j', (host) => {
    const [key] = Object.keys(host);
    expect(() => parseSettings({ host })).toThrow(
      new ConfigError(
        `host.${key} cannot be used: host is one machine, in host.availabilityZone. For several hosts, zones or Spot, use fargate.`,
      ),
    );
  });

  test.each<[NonNullable<Settings['host']>, string]>([
    [{ tls: tls('us-east-1') }, 'host.tls cannot be used: clients reach a private host by its address'],
    [{ allowedCidrs: ['10.0.0.0'] }, 'host.allowedCidrs'],
    [
      { network: 'public', tls: tls('us-east-1'), allowedCidrs: ['10.0.0.0/8'] },
      'host.allowedCidrs cannot be used with host.tls: clients reach the host through CloudFront only',
    ],
    [{ pollIntervalMs: 5 }, 'host.pollIntervalMs=5'],
    [{ fastPollSeconds: -1 }, 'host.fastPollSeconds=-1'],
    [{ fastPollSeconds: 3_601 }, 'host.fastPollSeconds=3601'],
  ])('are refused where they do not fit each other: %p', (host, message) => {
    expect(() => read(host)).toThrow(message);
  });
});
