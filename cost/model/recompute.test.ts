import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { rangesOf } from '../assumptions/rangesOf.ts';
import { REGIONS } from '../prices/sheets.ts';
import { FREE_TIERS } from '../prices/tiers.ts';
import { ARCHITECTURES, type Architecture, costOf } from './compare.ts';
import { CURVES } from './curve.ts';
import { MACHINE_TLS } from './machineTlsKinds.ts';
import { parseWorkload } from './workload.ts';

/** Bills that are recomputed: as many workloads as give so many with every architecture. */
const BILLS = 150;

/** How far an item may be off, as a part of it; what is below a millionth of a cent is nothing. */
const TOLERANCE = 0.005;
const NOTHING_USD = 1e-8;

const workload = fc
  .record({
    region: fc.constantFrom(...REGIONS),
    connections: fc.oneof(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 5_000, max: 2_000_000 })),
    curve: fc.constantFrom(...(Object.keys(CURVES) as (keyof typeof CURVES)[])),
    days: fc.constantFrom(1, 22, 30),
    newPerHour: fc.integer({ min: 0, max: 2_000_000 }),
    serverShare: fc.constantFrom(0, 0.1, 0.5, 1),
    pingSeconds: fc.integer({ min: 1, max: 600 }),
    messagesPerHour: fc.constantFrom(0, 5),
    flags: fc.integer({ min: 0, max: 1_000 }),
    flagBytes: fc.integer({ min: 100, max: 50_000 }),
    changesPerDay: fc.integer({ min: 0, max: 1_000 }),
    eventsPerHour: fc.integer({ min: 0, max: 1_000 }),
    environments: fc.integer({ min: 1, max: 4 }),
    pollIntervalMs: fc.constantFrom(50, 500, 2_000),
    freeTier: fc.constantFrom(...FREE_TIERS),
    credits: fc.constantFrom('standard' as const, 'unlimited' as const),
    servers: fc.constantFrom('always' as const, 'hourly' as const),
    machineTls: fc.constantFrom(...MACHINE_TLS),
    tls: fc.boolean(),
    accessLogs: fc.boolean(),
    lean: fc.boolean(),
    pongs: fc.boolean(),
  })
  .map(({ serverShare, pingSeconds, ...rest }) => {
    const sdks = [
      { share: 1 - serverShare, pingSeconds, type: 'client' as const },
      { share: serverShare, pingSeconds: 10, type: 'server' as const },
    ].filter(({ share }) => share > 0);
    return parseWorkload({ ...rest, sdks });
  });

test(`${BILLS} bills are what another program makes of the price sheets and the documented formulae, item by item`, () => {
  const architectures = Object.keys(ARCHITECTURES) as Architecture[];
  const workloads = fc.sample(workload, BILLS / architectures.length);
  const assumed = rangesOf(rangesFrom(readMeasured())).expected;
  const script = join(import.meta.dirname, '../testing/recompute.py');
  const { stdout, stderr } = spawnSync('python3', [script], {
    input: JSON.stringify({ assumed, workloads }),
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  expect(stderr).toBe('');
  const recomputed = JSON.parse(stdout) as Record<Architecture, Record<string, number> | null>[];
  for (const [index, load] of workloads.entries()) {
    for (const which of architectures) {
      const { items } = costOf(which, load, assumed).bill;
      const ours = Object.fromEntries(
        items.map(({ purpose, price, what, usd }) => [`${purpose}|${price}|${what}`, usd]),
      );
      const theirs = recomputed[index]?.[which] ?? {};
      const differing = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].filter((name) => {
        const [one, other] = [ours[name] ?? 0, theirs[name] ?? 0];
        return Math.abs(one - other) > TOLERANCE * Math.max(one, other) + NOTHING_USD;
      });
      const shown = differing.map((name) => ({ name, ours: ours[name], theirs: theirs[name] }));
      expect({ which, load, shown }).toEqual({ which, load, shown: [] });
    }
  }
});
