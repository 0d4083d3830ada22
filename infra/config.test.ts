import { describe, expect, test } from '@jest/globals';
import { ConfigError, readConfig } from './config.ts';

describe('readConfig', () => {
  test('without context it is a dev deployment that names no account and no region', () => {
    expect(readConfig()).toEqual({
      stage: 'dev',
      throttlingRate: 10_000,
      throttlingBurst: 5_000,
      logRetentionDays: 30,
      missingAttribute: 'empty',
      env: {},
    });
  });

  test('reads strings, as the command line gives them', () => {
    const config = readConfig({
      stage: 'prod',
      'flagwire:throttlingRate': '250',
      'flagwire:throttlingBurst': '100',
      'flagwire:logRetentionDays': '90',
      'flagwire:missingAttribute': 'no-match',
      'flagwire:account': '123456789012',
      'flagwire:region': 'eu-central-1',
    });
    expect(config).toEqual({
      stage: 'prod',
      throttlingRate: 250,
      throttlingBurst: 100,
      logRetentionDays: 90,
      missingAttribute: 'no-match',
      env: { account: '123456789012', region: 'eu-central-1' },
    });
  });

  test('is frozen', () => {
    const config = readConfig();
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.env)).toBe(true);
  });

  test('leaves the keys of others alone', () => {
    expect(readConfig({ '@aws-cdk/core:anything': true, 'aws:cdk:bundling-stacks': [] })).toEqual(readConfig());
  });

  test('refuses an unknown key of ours in one line that lists the known ones', () => {
    const attempt = () => readConfig({ 'flagwire:throtlingRate': '1' });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(/^Unknown context key flagwire:throtlingRate; known are: stage, .*throttlingRate.*\.$/);
  });

  test.each([
    ['stage', 'staging'],
    ['flagwire:throttlingRate', '0'],
    ['flagwire:throttlingBurst', 'many'],
    ['flagwire:logRetentionDays', '31'],
    ['flagwire:account', '1234'],
    ['flagwire:region', 'Frankfurt'],
  ])('refuses %s=%s in one line that names both', (key, value) => {
    const attempt = () => readConfig({ [key]: value });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(new RegExp(`^Context ${key}=${value} cannot be used: [^\\n]+$`));
  });
});
