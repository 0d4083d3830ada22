import { describe, expect, test } from '@jest/globals';
import { type Options, resolveLoad } from '../runner/options.ts';
import { SCENARIOS, type ScenarioName } from '../runner/scenarios.ts';
import { countConnections } from './loadProfile.ts';

const profileOf = (name: ScenarioName, rate: number) =>
  SCENARIOS[name].profile(resolveLoad(SCENARIOS[name], {} as Options, rate));

describe('load profiles', () => {
  test('the reference ramps for 20 s to 20 times the rate, and holds until 180 s', () => {
    const profile = profileOf('reference', 1_100);
    expect(profile).toMatchObject({ peak: 22_000, rampS: 20, durationS: 180, variables: { ping: 18 } });
    expect(countConnections(profile)).toBe(22_000);
  });

  test('sustained load opens connections at a constant rate, with a lifetime', () => {
    expect(profileOf('sustained', 100)).toMatchObject({ peak: 2_000, variables: { live: 20 } });
    expect(countConnections(profileOf('sustained', 100))).toBe(6_000);
  });

  test('heartbeats send 280 to 320 messages, a second apart', () => {
    expect(profileOf('heartbeat', 20).variables).toMatchObject({ message: 'echo', ping: 1, atLeast: 280, atMost: 320 });
  });

  test('a stage has clients that ping every second, and thresholds', () => {
    const { peak, variables, ensure } = profileOf('staged', 100);
    expect([peak, variables.ping]).toEqual([1_000, 1]);
    expect(ensure.flatMap(Object.keys)).toEqual(['sync.p99', 'intended to reply.p99', 'errors.percent']);
  });

  test('pushes last long enough for all flips', () => {
    const { durationS, rampS } = profileOf('push', 500);
    expect(durationS - rampS).toBe(30 * 2 + 10);
  });
});
