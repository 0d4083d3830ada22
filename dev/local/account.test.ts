import { expect, test } from '@jest/globals';
import { accountsHelp } from './account.ts';

test('the help says what each account lets pass', () => {
  expect(accountsHelp().split('\n').slice(1)).toEqual([
    '  new-account  10 Lambda executions at once, 10,000 requests and 500 new connections a second',
    '  default      1,000 Lambda executions at once, 10,000 requests and 500 new connections a second',
    '  raised       10,000 Lambda executions at once, 100,000 requests and 5,000 new connections a second',
  ]);
});
