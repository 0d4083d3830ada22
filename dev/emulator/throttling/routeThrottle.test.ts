import { describe, expect, test } from '@jest/globals';
import { awsProfiles } from '../awsProfiles.ts';
import { readModel } from '../template/resolve.ts';
import { manualClock } from '../testing/manualClock.ts';
import { createAccountThrottle, createRouteThrottle, readRouteLimits } from './routeThrottle.ts';

const limit = (ThrottlingRateLimit: number, ThrottlingBurstLimit: number) => ({
  ThrottlingRateLimit,
  ThrottlingBurstLimit,
});

function open(properties: Record<string, unknown>, requests = { perSecond: 100, burst: 50 }) {
  const clock = manualClock();
  const templates = { Stack: { Resources: { Stage: { Type: 'AWS::ApiGatewayV2::Stage', Properties: properties } } } };
  const [stage] = readModel(templates, { gatewayUrl: '', serviceUrl: '', streamArn: () => '' }).resources(
    'AWS::ApiGatewayV2::Stage',
  );
  if (!stage) throw new Error('no stage');
  const throttle = createAccountThrottle({ ...awsProfiles.default, requests }, clock);
  const admits = createRouteThrottle(readRouteLimits(stage), { requests, throttle, clock });
  const passed = (routeKey: string, attempts: number) =>
    Array.from({ length: attempts }, () => admits(routeKey)).filter(Boolean).length;
  return { clock, throttle, passed };
}

describe('the throttle of a stage', () => {
  test('each route has the stage’s limit for itself', () => {
    const { clock, passed } = open({ DefaultRouteSettings: limit(2, 3) });
    expect([passed('a', 9), passed('b', 9)]).toEqual([3, 3]);
    clock.advance(1_000);
    expect([passed('a', 9), passed('b', 9)]).toEqual([2, 2]);
  });

  test('a route’s own limit comes before the stage’s; what it leaves open is the stage’s', () => {
    const { clock, passed } = open({
      DefaultRouteSettings: limit(2, 3),
      RouteSettings: { a: limit(1, 1), b: { ThrottlingBurstLimit: 5 } },
    });
    expect([passed('a', 9), passed('b', 9), passed('c', 9)]).toEqual([1, 5, 3]);
    clock.advance(1_000);
    expect([passed('a', 9), passed('b', 9), passed('c', 9)]).toEqual([1, 2, 2]);
  });

  test('no route gets more than the account has, and what a route refuses costs the account nothing', () => {
    const { passed } = open({ DefaultRouteSettings: limit(1_000, 1_000), RouteSettings: { a: limit(1, 1) } });
    expect(passed('a', 100)).toBe(1);
    expect(passed('b', 100)).toBe(49);
    expect(passed('c', 100)).toBe(0);
  });

  test('without settings the account’s quota is the only limit, shared with all its APIs', () => {
    const { passed, throttle } = open({});
    for (let n = 0; n < 20; n += 1) expect(throttle.request()).toBe(true);
    expect(passed('a', 100)).toBe(30);
  });
});
