import { describe, expect, test } from '@jest/globals';
import { assumed } from '../../testing/assumed.ts';
import { PRESETS } from '../workload/presets.ts';
import { parseWorkload } from '../workload/workload.ts';
import { ARCHITECTURES, type Architecture, costOf } from './compare.ts';
import { LEVER_NAMES, LEVERS, withLevers } from './levers.ts';

const workload = parseWorkload(PRESETS['small-business'].workload);

const servers = { ...workload, sdks: [{ share: 1, pingSeconds: 10, type: 'server' as const }] };

describe('levers', () => {
  test.each(LEVER_NAMES)('%s sets something of its own, once', (name) => {
    const once = LEVERS[name].apply(servers);
    expect(once).not.toEqual(servers);
    expect(LEVERS[name].apply(once)).toEqual(once);
  });

  test('leave the pongs that a client needs', () => {
    expect(LEVERS.pongs.apply(workload)).toEqual(workload);
  });

  test('come to the same in whatever order', () => {
    expect(withLevers(workload, LEVER_NAMES.toReversed())).toEqual(withLevers(workload, LEVER_NAMES));
  });

  test.each(Object.keys(ARCHITECTURES) as Architecture[])('never make %s dearer, one by one and together', (which) => {
    const before = costOf(which, workload, assumed).bill.total;
    for (const names of [...LEVER_NAMES.map((name) => [name]), LEVER_NAMES]) {
      const { bill } = costOf(which, withLevers(workload, names), assumed);
      expect([names, bill.total <= before + 1e-9]).toEqual([names, true]);
    }
  });
});
