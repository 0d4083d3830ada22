import { expect, test } from '@jest/globals';
import { readConfig } from './config.ts';
import { describeConfig } from './describe.ts';

test('tells every effective value, one a line, defaults included', () => {
  const text = describeConfig(
    readConfig({ stage: 'prod', 'flagwire:tags': 'team=web', 'flagwire:syncReservedConcurrency': '7' }),
  );
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
    streamingAccessLogs: 'create-role',
    tracing: 'false',
  });
  expect(text).not.toMatch(/undefined|\[object/);
});
