import { expect, test } from '@jest/globals';
import { importOf, originText } from './origin.ts';

test.each([
  ['create the example flags', 'created'],
  ['console: created flag f (a reason)', 'created'],
  ['flag create f', 'created'],
  ['console: copied from “my shop” (as agreed)', 'copied from my shop'],
  ['env clone benchmark staging --data /tmp/data', 'copied from benchmark'],
  ["env clone 'my shop' staging", 'copied from my shop'],
  ['copy new-checkout --from dev --to prod', 'copied from dev'],
  ["copy new-checkout --to prod --from='my shop'", 'copied from my shop'],
  ['import exports/unleash.json --env staging', 'imported from unleash.json'],
  ["import '/home/ann/my flags.json'", 'imported from my flags.json'],
  ['import --env staging unleash.json', 'imported'],
])('describes the origin of a command: %j has %s the flag', (command, text) => {
  expect(originText(command)).toBe(text);
});

test('a flag that is newer than its environment is imported only if the change says so', () => {
  const createdAt = '2026-11-27T05:35:50.000Z';
  const created = Date.parse(createdAt);
  const change = (command: string) => ({ previous: created - 9, version: created + 9, at: created + 9, command });
  const found = (command: string, version: number) => importOf(version, [change(command)], createdAt)?.command;
  expect(found('off new-checkout', created + 9)).toBeUndefined();
  expect(found('import flags.json', created + 9)).toBe('import flags.json');
  expect(found('create the example flags', created - 1)).toBe('create the example flags');
  expect(found('import flags.json', created - 9)).toBeUndefined();
});
