import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Options, resolveLoad } from '../runner/options.ts';
import { SCENARIOS } from '../runner/scenarios.ts';
import { countConnections, type LoadProfile } from './loadProfile.ts';
import { splitProfile } from './parts.ts';

const profiles = fc
  .tuple(fc.constantFrom(...Object.values(SCENARIOS)), fc.integer({ min: 1, max: 5_000 }))
  .map(([scenario, rate]) => scenario.profile(resolveLoad(scenario, {} as Options, rate)));

/** Connections that profiles have opened by a time, in seconds from their common beginning. */
function openedBy(seconds: number, all: readonly LoadProfile[]): number {
  let opened = 0;
  for (const { phases } of all) {
    let at = 0;
    for (const phase of phases) {
      const duration = 'pause' in phase ? phase.pause : phase.duration;
      if ('arrivalRate' in phase) opened += phase.arrivalRate * Math.min(Math.max(0, seconds - at), duration);
      at += duration;
    }
  }
  return opened;
}

test('split a profile among any number of workers and cores without changing its load', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      profiles,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 8 }),
      share,
      (profile, workers, cores, when) => {
        const parts = splitProfile(profile, workers, cores);
        const seconds = when * profile.durationS;
        const right = openedBy(seconds, [profile]);
        expect(Math.abs(openedBy(seconds, parts) - right)).toBeLessThan(1e-6 * (1 + right));
        expect(parts).toHaveLength(workers);
        for (const part of parts) expect(part.peak).toBeLessThanOrEqual(Math.ceil(countConnections(profile) / workers));
      },
    ),
  );
});

test('workers that share a core take turns at the whole rate, and end together', () => {
  const scenario = SCENARIOS['reference'];
  const profile = scenario?.profile(resolveLoad(scenario, {} as Options, 1_000)) as LoadProfile;
  const [first, second] = splitProfile(profile, 2, 1);
  expect(first?.phases).toEqual([{ name: 'ramp', duration: 10, arrivalRate: 1_000 }]);
  expect(second?.phases).toEqual([{ pause: 10 }, { name: 'ramp', duration: 10, arrivalRate: 1_000 }]);
  expect([first?.durationS, second?.durationS]).toEqual([180, 170]);
});
