import { describe, expect, test } from '@jest/globals';
import { parseSettings, readConfig } from './config.ts';

const regionalDomain = {
  streamingName: 'streaming.example.com',
  httpName: 'flags.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
};
const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/01234567-89ab-cdef-0123-456789abcdef';

describe('regionalDomain', () => {
  test('is taken with and without a region, an account and a zone', () => {
    const withZone = { ...regionalDomain, hostedZoneId: 'Z0123456789ABC' };
    expect(readConfig({ regionalDomain }).regionalDomain).toEqual(regionalDomain);
    expect(
      readConfig({ region: 'eu-west-1', account: '123456789012', regionalDomain: withZone }).regionalDomain,
    ).toEqual(withZone);
  });

  test('is refused together with domain', () => {
    const domain = {
      name: 'flags.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
    };
    expect(() => readConfig({ domain, regionalDomain })).toThrow('domain and regionalDomain cannot be used together: ');
  });

  test('needs two names', () => {
    expect(() => readConfig({ regionalDomain: { ...regionalDomain, httpName: regionalDomain.streamingName } })).toThrow(
      'regionalDomain.httpName=streaming.example.com cannot be used: ',
    );
    const { httpName: _, ...half } = regionalDomain;
    expect(() => parseSettings({ regionalDomain: half })).toThrow('regionalDomain.httpName is missing: ');
  });
});

describe('resources of another region or account are refused', () => {
  test.each([
    ['regionalDomain.certificateArn', { regionalDomain }],
    ['kmsKeyArn', { kmsKeyArn }],
  ])('%s', (key, settings) => {
    expect(() => readConfig({ ...settings, region: 'eu-central-1' })).toThrow(
      new RegExp(`^${key}=arn:\\S+ cannot be used: the region is eu-central-1\\.$`),
    );
    expect(() => readConfig({ ...settings, account: '210987654321' })).toThrow(
      new RegExp(`^${key}=arn:\\S+ cannot be used: the account is 210987654321\\.$`),
    );
  });
});

test.each(['arn:aws:kms:eu-west-1:123456789012:alias/flags', 'alias/flags', '01234567-89ab-cdef-0123-456789abcdef'])(
  'kmsKeyArn=%s is refused, as CloudWatch Logs takes the ARN of a key only',
  (value) => {
    expect(() => readConfig({ kmsKeyArn: value })).toThrow(`kmsKeyArn=${value} cannot be used: `);
  },
);

test.each([kmsKeyArn, kmsKeyArn.replace('key/', 'key/mrk-')])('kmsKeyArn=%s is taken', (value) => {
  expect(readConfig({ kmsKeyArn: value, region: 'eu-west-1' }).kmsKeyArn).toBe(value);
});
