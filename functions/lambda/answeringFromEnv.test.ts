import { afterEach, describe, expect, test } from '@jest/globals';
import { parseUser, type User } from '../../shared/flags/user.ts';
import { aCondition, aFlag, aRule } from '../../shared/testing/builders.ts';
import { database, output, service, useService } from '../testing/fixture.ts';
import { snapshotCapacity, snapshotsFromEnv } from './answeringFromEnv.ts';

useService();
afterEach(() => {
  delete process.env['MISSING_ATTRIBUTE'];
});

const user = parseUser({ keyId: 'u1' }) as User;

/** Writes a flag with one rule. */
const put = (op: string, value: string) =>
  service.store.documents.writeFlag(service.envId, 'f', () =>
    aFlag({ key: 'f', rules: [aRule([aCondition('country', op, value)])] }),
  );

/** The reason of the flag's result for a user without attributes, with the process's settings. */
async function reasonUnder(choice: string | undefined): Promise<string | undefined> {
  if (choice === undefined) delete process.env['MISSING_ATTRIBUTE'];
  else process.env['MISSING_ATTRIBUTE'] = choice;
  const { snapshot } = await snapshotsFromEnv(database.open(service.effects)).read(service.envId);
  return snapshot.flags[0]?.evaluate(user).reason;
}

describe('an attribute that a user lacks', () => {
  test.each([
    [undefined, 'Rule 1'],
    ['', 'Rule 1'],
    ['empty', 'Rule 1'],
    ['no-match', 'default'],
  ])('follows MISSING_ATTRIBUTE=%s: %s', async (choice, reason) => {
    await put('NotEqual', 'us');
    expect(await reasonUnder(choice)).toBe(reason);
  });

  test.each(['Empty', 'no_match', ' ', 'true'])(
    'is an error that lists the choices with MISSING_ATTRIBUTE="%s"',
    (choice) => {
      process.env['MISSING_ATTRIBUTE'] = choice;
      expect(() => snapshotsFromEnv(database.open(service.effects))).toThrow(
        `MISSING_ATTRIBUTE must be empty or no-match, but is "${choice}"`,
      );
    },
  );
});

test('an invalid condition is in the log, once an instance', async () => {
  await put('MatchRegex', '(');
  const snapshots = snapshotsFromEnv(database.open(service.effects));
  await snapshots.read(service.envId);
  await snapshots.read(service.envId);
  expect(output.lines()).toEqual([
    expect.objectContaining({
      level: 'WARN',
      envId: service.envId,
      message: 'invalid condition',
      kind: 'flag',
      id: 'f',
      reason: expect.stringMatching(/^never matches: /),
    }),
  ]);
});

test.each([
  ['256', 32],
  ['512', 64],
  ['1769', 221.125],
])('a function of %s MB keeps %d MB of documents', (memoryMb, kept) => {
  expect(snapshotCapacity(memoryMb)).toBe(kept * 1_024 * 1_024);
});

test('outside of Lambda the cache decides what is kept', () => {
  expect(snapshotCapacity()).toBeUndefined();
});
