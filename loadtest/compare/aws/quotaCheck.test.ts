import { expect, test } from '@jest/globals';
import { findQuotaProblems } from './quotaCheck.ts';

const usual = { region: 'eu-west-1', newConnections: 500, concurrency: 1_000, throttleRate: 10_000 };

test('refuses a rate above the quota, with its code, the request and the highest rate', () => {
  expect(findQuotaProblems([500, 1_000, 1_200], usual)).toEqual([
    {
      text:
        "1,000, 1,200 new connections a second cannot run: API Gateway's new WebSocket connections a second (L-9ED1E49A) are limited to 500 in " +
        'this account. Request more: aws service-quotas request-service-quota-increase --service-code apigateway ' +
        '--quota-code L-9ED1E49A --desired-value 1200 --region eu-west-1',
      highest: 500,
    },
  ]);
});

test('a new account has too few concurrent executions as well', () => {
  const problems = findQuotaProblems([500], { ...usual, concurrency: 10 });
  expect(problems).toEqual([
    { text: expect.stringContaining('--quota-code L-B99A9384 --desired-value 26'), highest: 192 },
  ]);
});

test.each([
  ['rates that fit', [500], usual],
  ['quotas that could not be read', [1_200], { region: 'eu-west-1' }],
  ['quotas that were raised', [1_200], { ...usual, newConnections: 5_000 }],
])('%s are no problem', (_, rates, limits) => {
  expect(findQuotaProblems(rates, limits)).toEqual([]);
});
