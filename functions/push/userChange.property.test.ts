import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longRuns } from '../../shared/testing/runs.ts';
import { database, useDatabase } from '../testing/fixture.ts';
import { PLANS, planFlag } from '../testing/planFlag.ts';
import { World } from '../testing/world.ts';
import { jsSdk, strictSdk } from '../testing/worldSdk.ts';

/*
 * Client-side SDKs that go on as another user on the connection they have, beside a server-side one, writers, and delivery
 * that may be killed, interleaved step by step at random. Whatever the order, an SDK ends with every flag as it is
 * evaluated for its last user.
 */

useDatabase();

interface Life {
  readonly seed: number;
  readonly writes: number;
  readonly sdks: number;
  readonly changes: number;
  /** Bytes of each variation: large ones make answers come in parts. */
  readonly valueBytes: number;
  readonly trouble: number;
  readonly kills: number;
}

async function live({ sdks: count, changes, valueBytes, ...scenario }: Life): Promise<void> {
  const clients = Array.from({ length: count }, () => jsSdk());
  const server = strictSdk();
  const flag = (n: number, random: () => number) => planFlag(`flag-${Math.floor(random() * 5)}`, String(n), valueBytes);
  const final = await World.play(database, { ...scenario, flag }, [...clients, server], async (world, sdk) => {
    const { random, turn } = world.steps;
    const identify = () => {
      if (sdk.rules.type === 'client')
        sdk.identify(random() < 0.8 ? 'k' : 'other', PLANS[Math.floor(random() * 4)] as string);
    };
    identify();
    await turn(random() * 600);
    await world.connect(sdk);
    const answers: Promise<void>[] = [];
    for (let n = 0; n < changes && sdk.rules.type === 'client'; n++) {
      await turn(random() < 0.3 ? random() * 50 : random() * 800);
      identify();
      const answer = world.sync(sdk);
      if (random() < 0.5) await answer;
      else answers.push(answer);
    }
    await Promise.all(answers);
  });
  for (const client of clients) expect(client.flags()).toEqual(client.expected(final));
  for (const { id, updatedAt } of final) expect([id, server.newestOf(`flag:${id}`)]).toEqual([id, updatedAt]);
  if (scenario.kills > 0) return;
  expect(server.violations).toEqual([]);
  if (scenario.trouble === 0) for (const { violations } of clients) expect(violations).toEqual([]);
}

const common = {
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  writes: fc.integer({ min: 1, max: 6 }),
  sdks: fc.integer({ min: 1, max: 3 }),
  changes: fc.integer({ min: 1, max: 4 }),
};

describe('every client-side SDK ends with all flags as they are for its last user', () => {
  test.each<[string, Record<'valueBytes' | 'trouble' | 'kills', fc.Arbitrary<number>>]>([
    [
      'where nothing goes wrong, and sees nothing twice or out of order',
      { valueBytes: fc.constant(1), trouble: fc.constant(0), kills: fc.constant(0) },
    ],
    [
      'where messages are lost, repeated or not accepted',
      { valueBytes: fc.constant(1), trouble: fc.constant(0.25), kills: fc.constant(0) },
    ],
    [
      'where deliveries are killed',
      { valueBytes: fc.constant(1), trouble: fc.constantFrom(0, 0.2), kills: fc.constant(0.4) },
    ],
    [
      'where answers come in parts',
      { valueBytes: fc.constant(10_000), trouble: fc.constantFrom(0, 0.2), kills: fc.constantFrom(0, 0.4) },
    ],
  ])(
    '%s',
    async (_, arbitraries) => {
      const lives = fc.record({ ...common, ...arbitraries });
      await fc.assert(fc.asyncProperty(lives, live), { numRuns: longRuns(25), endOnFailure: true });
    },
    300_000,
  );
});
