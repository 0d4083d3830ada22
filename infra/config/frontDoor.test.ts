import { describe, expect, test } from '@jest/globals';
import { readConfig } from './config.ts';
import type { Settings } from './settingsSchema.ts';

const certificate = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`;
const frontDoor = { domainName: 'flags.example.com', certificateArn: certificate('us-east-1') };
const tls = { domainName: 'hosts.example.com', certificateArn: certificate('us-east-1') };
const only = { ...frontDoor, secrets: ['a'], only: true };
const regionalDomain = {
  streamingName: 'streaming.example.com',
  httpName: 'http.example.com',
  certificateArn: certificate('eu-west-1'),
};
const read = (settings: Settings) => readConfig({ frontDoor, host: true, ...settings });

describe('settings of the front door', () => {
  test('are off by default, and have defaults', () => {
    expect(readConfig().frontDoor).toBeUndefined();
    expect(read({}).frontDoor).toEqual({
      ...frontDoor,
      maxConnections: 18_000,
      only: false,
    });
  });

  test('make the host a t4g.micro, unless a type is set', () => {
    expect(read({}).host?.instanceType).toBe('t4g.micro');
    expect(read({ host: { instanceType: 't2.micro' } }).host?.instanceType).toBe('t2.micro');
    expect(readConfig({ host: true }).host?.instanceType).toBe('t2.micro');
  });

  test.each<[Settings, string]>([
    [{ host: false }, 'frontDoor cannot be used without a host'],
    [{ host: { network: 'public' } }, 'host.network=public'],
    [{ host: { network: 'public', tls } }, 'host.tls'],
    [
      { domain: { name: 'flags.example.com', certificateArn: certificate('us-east-1') } },
      'frontDoor.domainName=flags.example.com cannot be used: it is also domain.name',
    ],
    [{ frontDoor: { ...frontDoor, certificateArn: certificate('eu-west-1') } }, 'frontDoor.certificateArn'],
    [{ frontDoor: { ...frontDoor, only: true } }, 'frontDoor.only cannot be used without frontDoor.secrets'],
    [
      { frontDoor: only, domain: { name: 'other.example.com', certificateArn: certificate('us-east-1') } },
      'frontDoor.only cannot be used with domain, whose handshakes do not come through the front door',
    ],
    [
      { frontDoor: only, regionalDomain },
      'Use frontDoor.domainName in your SDKs and remove regionalDomain, or set frontDoor.only=false.',
    ],
    [{ region: 'ap-southeast-6' }, 'frontDoor cannot be used in ap-southeast-6, where CloudFront has no VPC origins'],
    [{ frontDoor: { ...frontDoor, secrets: ['a', 'b', 'c'] } }, 'frontDoor.secrets'],
    [{ frontDoor: { ...frontDoor, secrets: ['a b'] } }, 'the name of a secret in Secrets Manager'],
    [
      { frontDoor: { ...frontDoor, secrets: ['a'], only: true }, host: { allowedCidrs: ['10.8.0.0/16'] } },
      'frontDoor.only cannot be used with host.allowedCidrs',
    ],
  ])('are refused where they do not fit others: %j', (settings, message) => {
    expect(() => read(settings)).toThrow(message);
  });
});
