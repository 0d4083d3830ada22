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
  expect(lines).toContain('host.fastPollSeconds = 60   (default: 60)');
  expect(lines).toContain('host');
  expect(lines.filter((line) => line.startsWith('    ') && line.length > 100)).toEqual([]);
});

test('lists settings of a group that is off with the values that they would get', () => {
  const lines = describeSettings(config).split('\n');
  expect(lines).toContain('fargate (off)');
  expect(lines).toContain('fargate.vcpu = 1   (default: 1)');
});
