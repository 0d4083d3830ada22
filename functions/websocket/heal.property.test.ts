import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longRuns } from '../../shared/testing/runs.ts';
import { database, useDatabase } from '../testing/fixture.ts';
import { PLANS, planFlag } from '../testing/planFlag.ts';
import { World } from '../testing/world.ts';
import { jsSdk, strictSdk } from '../testing/worldSdk.ts';

/*
 * Data-syncs that come to nobody, or to a function that is killed, beside writers, delivery with its losses, disconnects and
 * healing, interleaved step by step at random. Whatever the order, every SDK ends with all flags, without a word of its own.
 */

useDatabase();

interface Life {
  readonly seed: number;
  readonly writes: number;
  readonly servers: number;
  readonly clients: number;
  /** Bytes of each variation: large ones make answers come in parts. */
  readonly valueBytes: number;
  readonly trouble: number;
  readonly losses: number;
}

async function live({ servers: serverCount, clients: clientCount, valueBytes, ...scenario }: Life): Promise<void> {
  const servers = Array.from({ length: serverCount }, () => strictSdk());
  const clients = Array.from({ length: clientCount }, () => jsSdk());
  const flag = (n: number, random: () => number) => planFlag(`flag-${Math.floor(random() * 4)}`, String(n), valueBytes);
  const final = await World.play(
    database,
    { ...scenario, flag, kills: 0 },
    [...servers, ...clients],
    async (world, sdk) => {
      const { random, turn } = world.steps;
      if (sdk.rules.type === 'client') sdk.identify('k', PLANS[Math.floor(random() * 4)] as string);
      await turn(random() * 60_000);
      await world.connect(sdk);
    },
  );
  for (const sdk of [...servers, ...clients]) expect(sdk.flags()).toEqual(sdk.expected(final));
}

test.each<[string, fc.Arbitrary<number>]>([
  ['in one message', fc.constant(1)],
  ['in parts', fc.constant(15_000)],
])(
  'an SDK whose data-sync is lost ends with all flags, where they come %s',
  async (_, valueBytes) => {
    const lives = fc.record({
      seed: fc.integer({ min: 0, max: 2 ** 31 }),
      writes: fc.integer({ min: 1, max: 6 }),
      servers: fc.integer({ min: 1, max: 2 }),
      clients: fc.integer({ min: 0, max: 2 }),
      valueBytes,
      trouble: fc.constantFrom(0, 0.2),
      losses: fc.constantFrom(0.5, 0.9),
    });
    await fc.assert(fc.asyncProperty(lives, live), { numRuns: longRuns(20), endOnFailure: true });
  },
  300_000,
);
