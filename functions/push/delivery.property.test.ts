import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { PatchContents } from '../../shared/delivery/sdk.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { longRuns } from '../../shared/testing/runs.ts';
import { database, useDatabase } from '../testing/fixture.ts';
import { World } from '../testing/world.ts';
import { strictSdk } from '../testing/worldSdk.ts';

/*
 * Writers, SDKs that connect and reconnect, the queue with its losses and repetitions, and delivery, interleaved step by
 * step at random. Whatever the order, every SDK sees each change once, in order, and ends with what the table holds.
 */

useDatabase();

interface Life {
  readonly seed: number;
  readonly writes: number;
  readonly sdks: number;
  readonly reconnects: number;
  /** Bytes of each flag: large ones make answers come in parts. */
  readonly flagBytes: number;
  readonly trouble: number;
  readonly patchContents: PatchContents;
}

async function live({ sdks: count, reconnects, flagBytes, patchContents, ...scenario }: Life): Promise<void> {
  const sdks = Array.from({ length: count }, () => strictSdk(patchContents));
  const variations = [{ id: 'on', value: 'x'.repeat(flagBytes) }];
  const flag = (n: number, random: () => number) =>
    aFlag({ key: `flag-${Math.floor(random() * 4)}`, name: String(n), variations });
  const final = await World.play(database, { ...scenario, flag, kills: 0 }, sdks, async (world, sdk) => {
    for (let n = 0; n <= reconnects; n++) {
      await world.steps.turn(world.steps.random() * 1_200);
      await world.connect(sdk);
    }
  });
  for (const sdk of sdks) {
    expect(sdk.violations).toEqual([]);
    expect(sdk.flags()).toEqual(sdk.expected(final));
  }
}

const common = {
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  writes: fc.integer({ min: 1, max: 5 }),
  sdks: fc.integer({ min: 1, max: 3 }),
  reconnects: fc.integer({ min: 0, max: 2 }),
  patchContents: fc.constantFrom<PatchContents[]>('any', 'one-kind', 'one-item'),
};

describe('every SDK sees every change once, in order, and ends where the table is', () => {
  test.each<[string, Record<'flagBytes' | 'trouble', fc.Arbitrary<number>>]>([
    ['where nothing goes wrong', { flagBytes: fc.constant(10), trouble: fc.constant(0) }],
    ['where messages are lost, repeated or not accepted', { flagBytes: fc.constant(10), trouble: fc.constant(0.25) }],
    ['where answers come in parts', { flagBytes: fc.constant(60_000), trouble: fc.constantFrom(0, 0.25) }],
  ])(
    '%s',
    async (_, arbitraries) => {
      const lives = fc.record({ ...common, ...arbitraries });
      await fc.assert(fc.asyncProperty(lives, live), { numRuns: longRuns(40), endOnFailure: true });
    },
    300_000,
  );
});
