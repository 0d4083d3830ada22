import { describe, expect, test } from '@jest/globals';
import { readConfig } from './config.ts';
import type { Settings } from './settingsSchema.ts';

const certificateIn = (region: string) =>
  `arn:aws:acm:${region}:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef`;
const name = 'flags.example.com';
const [certificateArn, regional] = [certificateIn('us-east-1'), certificateIn('eu-west-1')];
const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/flags/0a1b2c3d';
const tls = { domainName: name, certificateArn };
const host: Settings = { host: { network: 'public', tls } };
const fargate: Settings = { fargate: { tls: { ...tls, certificateArn: regional } } };
const domain: Settings = { domain: { name, certificateArn } };

describe('domain names', () => {
  test.each<[string, Settings]>([
    ['host.tls.domainName=flags.example.com cannot be used: it is also domain.name', { ...domain, ...host }],
    [
      'fargate.tls.domainName=flags.example.com cannot be used: it is also host.tls.domainName',
      { ...fargate, ...host },
    ],
    [
      'frontDoor.domainName=flags.example.com cannot be used: it is also regionalDomain.httpName. Use another name.',
      {
        host: true,
        frontDoor: tls,
        regionalDomain: { streamingName: 'streaming.example.com', httpName: name, certificateArn: regional },
      },
    ],
  ])('are refused if two entries have one: %s', (message, settings) => {
    expect(() => readConfig(settings)).toThrow(message);
  });

  test('may be those of several entries', () => {
    const other = { ...domain, domain: { name: 'api.example.com', certificateArn } };
    expect(() => readConfig({ ...host, ...other })).not.toThrow();
  });
});

test.each<[string, Settings]>([
  ['domain.certificateArn', domain],
  ['host.tls.certificateArn', host],
  ['frontDoor.webAclArn', { host: true, frontDoor: { ...tls, webAclArn } }],
  ['fargate.tls.certificateArn', fargate],
  ['permissionsBoundaryArn', { permissionsBoundaryArn: 'arn:aws:iam::123456789012:policy/boundary' }],
])('%s of another account is refused, as AWS cannot use it', (key, settings) => {
  expect(() => readConfig({ ...settings, account: '210987654321' })).toThrow(
    new RegExp(`^${key}=.* cannot be used: the account is 210987654321[.]$`, 'm'),
  );
  expect(() => readConfig({ ...settings, account: '123456789012' })).not.toThrow();
});

test('permissionsBoundaryArn may be a policy of AWS', () => {
  const permissionsBoundaryArn = 'arn:aws:iam::aws:policy/PowerUserAccess';
  expect(() => readConfig({ permissionsBoundaryArn, account: '123456789012' })).not.toThrow();
});
