import { expect, test } from '@jest/globals';
import { originText } from './origin.ts';

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
])('the command %j has %s the flag', (command, text) => {
  expect(originText(command)).toBe(text);
});
