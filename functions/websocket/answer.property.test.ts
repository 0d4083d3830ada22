import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { longRuns } from '../../shared/testing/runs.ts';
import { database, useDatabase } from '../testing/fixture.ts';
import { PLANS, planFlag } from '../testing/planFlag.ts';
import { World } from '../testing/world.ts';
import { jsSdk, strictSdk } from '../testing/worldSdk.ts';

/*
 * The whole life of connections, interleaved step by step at random: data-syncs that are lost, killed at any request, or
 * whose posts fail; pushes that are lost, repeated, killed or not accepted; users that change; connections that break at
 * any moment, after which SDKs ask with the cursor they have; healing. The world checks after each message that the SDK
 * has every change up to its cursor: a push that overtakes an answer would break that.
 */

useDatabase();

interface Life {
  readonly seed: number;
  readonly writes: number;
  readonly servers: number;
  readonly clients: number;
  /** How often each SDK changes its user, or comes back on another connection. */
  readonly turns: number;
  /** Bytes of each variation: large ones make answers come in parts. */
  readonly valueBytes: number;
  readonly trouble: number;
  readonly kills: number;
  readonly losses: number;
}

async function live({ servers: serverCount, clients: clientCount, turns, valueBytes, ...scenario }: Life) {
  const servers = Array.from({ length: serverCount }, () => strictSdk());
  const clients = Array.from({ length: clientCount }, () => jsSdk());
  const flag = (n: number, random: () => number) => planFlag(`flag-${Math.floor(random() * 5)}`, String(n), valueBytes);
  const final = await World.play(database, { ...scenario, flag }, [...servers, ...clients], async (world, sdk) => {
    const { random, turn } = world.steps;
    const pick = () => PLANS[Math.floor(random() * 4)] as string;
    if (sdk.rules.type === 'client') sdk.identify('first', pick());
    await turn(random() * 30_000);
    await world.connect(sdk);
    for (let n = 0; n < turns; n++) {
      await turn(random() < 0.5 ? random() * 300 : random() * 60_000);
      const isChanging = sdk.rules.type === 'client' && sdk.isChangingUser;
      if (sdk.rules.type === 'client' && random() < 0.4) {
        sdk.identify(`user ${n}`, pick());
        await world.sync(sdk);
      } else if (!isChanging) await world.connect(sdk);
    }
  });
  for (const sdk of [...servers, ...clients]) expect(sdk.flags()).toEqual(sdk.expected(final));
}

test.each<[string, number]>([
  ['in one message', 1],
  ['in parts', 15_000],
])(
  'an SDK lacks no change below its cursor, and ends with all, under failures: %s',
  async (_, valueBytes) => {
    const lives = fc.record({
      seed: fc.integer({ min: 0, max: 2 ** 31 }),
      writes: fc.integer({ min: 1, max: 8 }),
      servers: fc.integer({ min: 0, max: 2 }),
      clients: fc.integer({ min: 1, max: 2 }),
      turns: fc.integer({ min: 0, max: 4 }),
      valueBytes: fc.constant(valueBytes),
      trouble: fc.constantFrom(0, 0.25),
      kills: fc.constantFrom(0, 0.3),
      losses: fc.constantFrom(0.01, 0.5),
    });
    await fc.assert(fc.asyncProperty(lives, live), { numRuns: longRuns(30), endOnFailure: true });
  },
  300_000,
);
