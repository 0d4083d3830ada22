import { describe, expect, test } from '@jest/globals';
import { PRESETS } from '../model/presets.ts';
import { parseWorkload, type WorkloadInput } from '../model/workload.ts';
import { priceSheetOf } from '../prices/sheets.ts';
import { assumed } from '../testing/assumed.ts';
import { compareOthers, costInWords, type OtherCost } from './compareOthers.ts';
import { OTHERS } from './others.ts';

/** A thousand held all month of 730 hours, a tenth of them servers, with a push a day to each. */
const load: WorkloadInput = {
  connections: 1_000,
  newPerHour: 100,
  sdks: [
    { share: 0.9, pingSeconds: 18, type: 'client' },
    { share: 0.1, pingSeconds: 10, type: 'server' },
  ],
  changesPerDay: 1,
  days: 30,
};
const costs = (input: WorkloadInput) => compareOthers(parseWorkload(input), assumed);
const named = (all: readonly OtherCost[], name: string) => {
  const found = all.find((each) => each.name.startsWith(name));
  if (!found) throw new Error(`nothing is called ${name}`);
  return found;
};

describe('what others would pick', () => {
  test.each([
    // 43.2 million minutes, 72,000 starts that subscribe, 30 changes, 30,000 pushes.
    ['AppSync', 43.2 * 0.08 + (2 * 0.072 + 0.03003) * 1],
    ['IoT Core', 43.2 * 0.08 + (2 * 0.072 + 0.03003) * 1],
    // 720,000 hours of 216 pings and 72,000 data-syncs, twenty as one, and 72,000 upgrades; a million is free.
    ['Cloudflare', 5 + ((0.72e6 * 216 + 72_000) / 20 + 72_000 + 30 - 1e6) * 0.15e-6],
    // One channel all month.
    ['Ably', 29 + 2.5 * 0.03003 + (43.2 + 0.0438)],
    // A hundred servers for 720 of 730 hours.
    ['LaunchDarkly', ((100 * 720) / 730) * 10],
    ['Unleash', 75],
    ['Flagsmith', 45 + (43.2e6 - 1e6) * 7e-5],
  ])('%s costs what a pocket calculator says', (name, usd) => {
    expect(named(costs(load), name).usd).toBeCloseTo(usd, 6);
  });

  test('machines come with what a host uses of the table and sends; a fixed price with its data', () => {
    const [nano, lightsail, hetzner] = ['t4g.nano', 'Lightsail', 'Hetzner'].map((name) => named(costs(load), name));
    const machine = 730 * (0.0042 + 0.005) + 8 * 0.08;
    expect(nano?.usd).toBeGreaterThan(machine + 0.5);
    expect(lightsail?.usd).toBeLessThan((nano?.usd ?? 0) - (machine - 5));
    expect((hetzner?.usd ?? 0) - (lightsail?.usd ?? 0)).toBeCloseTo(7.55 - 5, 6);
  });

  test('free allowances count for machines, addresses and disks, once for all of them', () => {
    const nano = (freeTier: 'none' | 'first-year') =>
      named(costs({ connections: 5, flags: 20, freeTier }), 't4g.nano').usd ?? Number.NaN;
    const { publicIpv4Hour, diskGb } = priceSheetOf('us-east-1').prices;
    const free =
      Math.min(730, publicIpv4Hour.free?.firstYear ?? 0) * 0.005 + Math.min(8, diskGb.free?.firstYear ?? 0) * 0.08;
    expect(free).toBeGreaterThan(4);
    expect(nano('first-year')).toBeLessThan(nano('none') - free);
  });

  test('a flag larger than 5 KB is published in as many messages, where those are counted', () => {
    const of = (name: string, flagBytes: number) => named(costs({ ...load, flagBytes }), name).usd ?? Number.NaN;
    const types = { ...load, sdks: [{ share: 1, pingSeconds: 18, type: 'client' as const }] };
    const client = (name: string, flagBytes: number) => named(costs({ ...types, flagBytes }), name).usd ?? Number.NaN;
    // Three messages in place of one for each of 30 changes; clients get what it evaluates to.
    for (const name of ['AppSync', 'IoT Core'])
      expect(client(name, 15_000) - client(name, 2_000)).toBeCloseTo(60e-6, 9);
    expect(of('Ably', 15_000)).toBe(of('Ably', 2_000));
    expect(of('Cloudflare', 15_000)).toBe(of('Cloudflare', 2_000));
  });

  test('an Application Load Balancer takes the place of the other one', () => {
    const idle = { ...load, connections: 0, newPerHour: 0 };
    expect((named(costs(load), 'An App').usd ?? 0) - (named(costs(idle), 'An App').usd ?? 0)).toBeGreaterThan(
      // A third of a capacity unit for 720 hours.
      (720 / 3) * 0.008,
    );
  });

  test('what does not fit is no price', () => {
    const many = costs(PRESETS.saas.workload);
    for (const name of ['t4g.nano', 'Lightsail', 'Ably'])
      expect(costInWords(named(many, name))).toMatch(/^not possible: .* connections at most$/);
    expect(costInWords(named(costs({ connections: 700_000 }), 'Polling'))).toContain('11,667 polls a second');
  });

  test('unknown prices stay blank, and what leaves something out says so', () => {
    const all = costs(load);
    for (const name of ['ConfigCat', 'FeatBit']) expect(costInWords(named(all, name))).toBe('not confirmed');
    expect(costInWords(named(all, 'Ably'))).toMatch(/^about \$/);
    expect(costInWords(named(all, 'Unleash'))).toBe('at least $75.00');
    expect(costInWords(named(costs({ connections: 10 }), 'LaunchDarkly'))).toBe('not told by this load');
  });

  test('every price says where and when it was read', () => {
    for (const { prices } of OTHERS)
      for (const price of prices) if (!('sheet' in price)) expect(new URL(price.source).protocol).toBe('https:');
    expect(new Set(OTHERS.map(({ key }) => key)).size).toBe(OTHERS.length);
  });
});
