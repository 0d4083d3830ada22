import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countBehind, isComplete } from '../../shared/store/connections/receipt.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { longRuns } from '../../shared/testing/runs.ts';
import { database, useDatabase } from '../testing/fixture.ts';
import { World } from '../testing/world.ts';
import { strictSdk } from '../testing/worldSdk.ts';

/*
 * Receipts while writers, SDKs, deliveries and healing go on, interleaved step by step at random. A receipt never
 * claims more connections than were handed the version, and claims all of them once all is quiet.
 */

useDatabase();

interface Life {
  readonly seed: number;
  readonly writes: number;
  readonly sdks: number;
  readonly reconnects: number;
  readonly trouble: number;
  readonly kills: number;
  readonly losses: number;
}

/** Number of receipts with a claim, so that the property is not empty. */
let claims = 0;

async function live({ sdks: count, reconnects, ...scenario }: Life): Promise<void> {
  const sdks = Array.from({ length: count }, () => strictSdk('any'));
  // Then a world makes writes fifty times slower, because healing takes a minute.
  const pace = scenario.losses > 0 ? 50 : 1;
  const flag = (n: number, random: () => number) => aFlag({ key: `flag-${Math.floor(random() * 4)}`, name: String(n) });
  await World.play(
    database,
    { ...scenario, flag },
    sdks,
    async (world, sdk) => {
      for (let n = 0; n <= reconnects; n++) {
        await world.steps.turn(world.steps.random() * 600 * pace);
        await world.connect(sdk);
        for (let looks = 0; looks < 4; looks++) {
          await world.steps.turn(world.steps.random() * 200 * (looks % 2 === 0 ? 1 : pace));
          await check(world);
        }
      }
    },
    async (world) => {
      for (const write of world.written) {
        const receipt = await world.readReceipt(write, true);
        const open = await world.openedUntil(write.writtenAt);
        expect([receipt.handed, countBehind(receipt)]).toEqual([open.length, 0]);
      }
    },
  );
}

async function check(world: World): Promise<void> {
  const write = world.written[Math.floor(world.steps.random() * world.written.length)];
  if (!write) return;
  // A data-sync that was sent before the write may be registered meanwhile.
  const before = await world.openedUntil(write.writtenAt);
  const receipt = await world.readReceipt(write);
  const after = await world.openedUntil(write.writtenAt);
  const open = new Set([...before, ...after]);
  if (receipt.handed > 0) claims++;
  const handed = [...open].filter((id) => world.isHanded(id, write));
  expect(receipt.handed).toBeLessThanOrEqual(handed.length);
  if (isComplete(receipt)) {
    expect(before.filter((id) => after.includes(id) && !world.isHanded(id, write))).toEqual([]);
  }
}

test.each<[string, Record<'trouble' | 'kills' | 'losses', fc.Arbitrary<number>>]>([
  ['where nothing goes wrong', { trouble: fc.constant(0), kills: fc.constant(0), losses: fc.constant(0) }],
  [
    'where deliveries are killed and messages are lost, repeated or throttled',
    { trouble: fc.constant(0.25), kills: fc.constantFrom(0, 0.3), losses: fc.constantFrom(0, 0.3) },
  ],
])(
  'a receipt is never larger than the truth, and equals it when all is quiet, %s',
  async (_, arbitraries) => {
    claims = 0;
    const lives = fc.record({
      seed: fc.integer({ min: 0, max: 2 ** 31 }),
      writes: fc.integer({ min: 1, max: 5 }),
      sdks: fc.integer({ min: 1, max: 6 }),
      reconnects: fc.integer({ min: 0, max: 2 }),
      ...arbitraries,
    });
    // Small lives may be without a claim, and without FC_LONG there are two. One with many SDKs is always among them.
    const large: Life = { seed: 1, writes: 5, sdks: 6, reconnects: 2, trouble: 0, kills: 0, losses: 0 };
    await fc.assert(fc.asyncProperty(lives, live), {
      numRuns: longRuns(16),
      examples: [[large]],
      endOnFailure: true,
    });
    expect(claims).toBeGreaterThan(0);
  },
  300_000,
);
