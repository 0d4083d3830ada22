import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { currentRelease, keptOf, lostSince, type Release } from './testing/release.ts';

/**
 * What must stay of the release before. At a release, once this test passes, write it anew:
 *
 *     npx node infra/stacks/testing/renewRelease.ts && npm run format
 *
 * The difference may add lines. A line that has to go or change is taken out by hand in the commit that changes the
 * stack, and CHANGELOG.md says how the data moves.
 */
const before: Release = JSON.parse(readFileSync(join(import.meta.dirname, 'release.json'), 'utf8'));

test('deploying over the release before replaces nothing that holds data or is known outside', () => {
  expect(lostSince(before, currentRelease())).toEqual([]);
});

test('a new index replaces no table, and another key type does', () => {
  const attributes = (types: Readonly<Record<string, string>>) =>
    Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
  const releaseWith = (types: Readonly<Record<string, string>>) => {
    const KeySchema = [{ AttributeName: 'pk', KeyType: 'HASH' }];
    const Properties = { KeySchema, AttributeDefinitions: attributes(types) };
    return { dev: { Data: keptOf({ Resources: { Flags: { Type: 'AWS::DynamoDB::GlobalTable', Properties } } }) } };
  };
  expect(lostSince(releaseWith({ pk: 'S' }), releaseWith({ envId: 'S', pk: 'S' }))).toEqual([]);
  expect(lostSince(releaseWith({ pk: 'S' }), releaseWith({ pk: 'N' }))).toEqual([
    expect.stringMatching(/another AttributeDefinitions in AWS::DynamoDB::GlobalTable Flags: .* replace it/),
  ]);
});

describe('a release', () => {
  const queue = { type: 'AWS::SQS::Queue' };
  const table = { type: 'AWS::DynamoDB::GlobalTable', fixed: { KeySchema: [{ AttributeName: 'pk' }] } };
  const releaseOf = (resources: Release[string][string]['resources'], exports: readonly string[] = ['Data:Flags']) => ({
    dev: { Data: { resources, exports } },
  });
  const kept = releaseOf({ Flags: table, Queue: queue });

  test('may have more than the one before', () => {
    expect(
      lostSince(kept, releaseOf({ Flags: table, Queue: queue, More: queue }, ['Data:Flags', 'Data:More'])),
    ).toEqual([]);
  });

  test.each([
    ['without a resource', releaseOf({ Flags: table }), /^dev: Data has no AWS::SQS::Queue Queue: .* remove it/],
    ['with a resource of another type', releaseOf({ Flags: queue, Queue: queue }), /Flags as AWS::SQS::Queue .* fail/],
    [
      'with a property that cannot change',
      releaseOf({ Flags: { ...table, fixed: { KeySchema: [{ AttributeName: 'id' }] } }, Queue: queue }),
      /another KeySchema in AWS::DynamoDB::GlobalTable Flags: .* replace it/,
    ],
    [
      'with a name where CloudFormation chose one',
      releaseOf({ Flags: table, Queue: { ...queue, fixed: { QueueName: 'mine' } } }),
      /another QueueName in AWS::SQS::Queue Queue: .* replace it/,
    ],
    ['without an export', releaseOf({ Flags: table, Queue: queue }, []), /no export Data:Flags: .* fail/],
    ['without a stack', { dev: {} }, /^dev: Data is missing: .* old stack running/],
    ['without a deployment', {}, /^dev: Data is missing/],
  ] as const)('%s is said to lose it', (_, now, message) => {
    expect(lostSince(kept, now)).toEqual([expect.stringMatching(message)]);
  });
});
