import { expect, test } from '@jest/globals';
import { readConfig } from './config.ts';
import { describeConfig, describeSettings } from './describe.ts';

const config = readConfig({ stage: 'prod', tags: { team: 'web' }, syncConcurrency: { reserved: 7 }, host: true });

test('tells every effective value, one a line, defaults included', () => {
  const text = describeConfig(config, 'flagwire.prod.json');
  const values = Object.fromEntries(
    text
      .split('\n')
      .slice(1)
      .map((line) => line.split(' = ').map((part) => part.trim())),
  );
  expect(values).toMatchObject({
    stage: 'prod',
    'tags.team': 'web',
    throttlingRate: '10000',
    'syncConcurrency.reserved': '7',
    streamingAccessLogs: 'existing-role',
    tracing: 'false',
  });
  expect(text).not.toMatch(/undefined|\[object/);
});

test('lists every setting with value, default and meaning', () => {
  const lines = describeSettings(config).split('\n');
  expect(lines).toContain('syncConcurrency.reserved = 7   (default: none)');
  expect(lines).toContain('lean = false   (default: false)');
  expect(lines).toContain('host.instanceType = t2.micro   (default: t2.micro)');
  expect(lines).toContain('fargate.vcpu = none   (default: 1)');
  expect(lines).toContain('domain: one domain for streaming, polling and events, served by CloudFront');
});
