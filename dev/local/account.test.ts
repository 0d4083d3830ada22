import { expect, test } from '@jest/globals';
import { awsProfiles } from '../emulator/awsProfiles.ts';
import { accountsHelp, playedAccount } from './account.ts';

test('the help says what each account lets pass', () => {
  expect(accountsHelp().split('\n').slice(1)).toEqual([
    '  new-account  10 Lambda executions at once, 10,000 requests and 500 new connections a second',
    '  default      1,000 Lambda executions at once, 10,000 requests and 500 new connections a second',
    '  raised       10,000 Lambda executions at once, 100,000 requests and 5,000 new connections a second',
  ]);
});

test('an account with a part of its quotas has that part of each, and one execution at least', () => {
  expect(playedAccount('default', { quotas: 0.1 })).toMatchObject({
    name: 'default, 0.1 of its quotas',
    concurrentExecutions: 100,
    requests: { perSecond: 1_000, burst: 500 },
    newConnections: { perSecond: 50, burst: 50 },
  });
  expect(playedAccount('new-account', { quotas: 0.01 }).concurrentExecutions).toBe(1);
});

test('functions take as long as on AWS only where that is asked for', () => {
  expect(playedAccount('default', { quotas: 1 })).toEqual(awsProfiles.default);
  expect(playedAccount('default', { quotas: 1, awsTimes: true })).toMatchObject({ callVcpuMs: 3, coldStartMs: 500 });
});
