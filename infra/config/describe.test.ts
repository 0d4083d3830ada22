import { expect, test } from '@jest/globals';
import { readConfig } from './config.ts';
import { describeSettings } from './describe.ts';

const config = readConfig({ stage: 'prod', syncConcurrency: { reserved: 7 }, host: true });

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
