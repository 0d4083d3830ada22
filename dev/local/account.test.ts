import { expect, test } from '@jest/globals';
import { awsProfiles } from '../emulator/awsProfiles.ts';
import { accountsHelp, emulatedAccount } from './account.ts';

test('the help lists the limits of each account', () => {
  expect(accountsHelp().split('\n').slice(1)).toEqual([
    '  new-account  10 concurrent Lambda executions, 10,000 requests/s, 500 new connections/s',
    '  default      1,000 concurrent Lambda executions, 10,000 requests/s, 500 new connections/s',
    '  raised       10,000 concurrent Lambda executions, 100,000 requests/s, 5,000 new connections/s',
  ]);
});

test('an account with a part of its quotas has that part of each, and one execution at least', () => {
  expect(emulatedAccount('default', { quotas: 0.1 })).toMatchObject({
    name: 'default, 0.1 of its quotas',
    concurrentExecutions: 100,
    requests: { perSecond: 1_000, burst: 500 },
    newConnections: { perSecond: 50, burst: 50 },
  });
  expect(emulatedAccount('new-account', { quotas: 0.01 }).concurrentExecutions).toBe(1);
});

test('a part of a quota is a whole number, and one at least: with less, nothing would ever be admitted', () => {
  expect(emulatedAccount('default', { quotas: 0.0777 })).toMatchObject({
    concurrentExecutions: 78,
    requests: { perSecond: 777, burst: 389 },
    newConnections: { perSecond: 39, burst: 39 },
  });
  const one = { perSecond: 1, burst: 1 };
  expect(emulatedAccount('default', { quotas: 1e-6 })).toMatchObject({ requests: one, newConnections: one });
});

test('functions are as slow as on AWS only on request', () => {
  expect(emulatedAccount('default', { quotas: 1 })).toEqual(awsProfiles.default);
  expect(emulatedAccount('default', { quotas: 1, awsTimes: true })).toMatchObject({
    callVcpuMs: 3.4,
    coldStartMs: 500,
  });
});
