import { describe, expect, test } from '@jest/globals';
import { reference } from '../scenarios/profiles.ts';
import { aLoadProfile } from '../testing/results.ts';
import { agreeTo, estimateCost } from './estimate.ts';

const workers = { count: 2, cpu: 4, memory: 8 };
const plan = reference({ rate: 1_000, rampS: 20, durationS: 180, pingS: 18 } as never);
const gateway = 'wss://abc.execute-api.eu-west-1.amazonaws.com';

describe('the estimate', () => {
  test('costs workers by size for their time and five minutes more', () => {
    const { total } = estimateCost([aLoadProfile({ durationS: 3_300 })], workers, 'ws://10.0.0.1:5100');
    expect(total).toBeCloseTo(2 * (4 * 0.04048 + 8 * 0.004445), 6);
  });

  test('costs the reference on API Gateway by messages and minutes', () => {
    const { items } = estimateCost([plan], workers, gateway);
    // 20,000 connections: a data-sync and its answer, ten pings and pongs; three minutes each.
    expect(items[1]).toEqual(['440000 WebSocket messages', expect.closeTo(0.44, 6)]);
    expect(items[2]).toEqual(['60000 connection minutes', expect.closeTo(0.015, 6)]);
  });

  test('sums the cost of several runs', () => {
    const one = estimateCost([plan], workers, gateway).total;
    expect(estimateCost([plan, plan, plan], workers, gateway).total).toBeCloseTo(3 * one, 9);
  });
});

describe('the question before a paid run', () => {
  const said: string[] = [];
  const ask = (consent: { budget?: number; yes?: boolean }) => () =>
    agreeTo(estimateCost([plan], workers, gateway), consent, (line) => said.push(line));

  test('refuses if the budget does not suffice, and starts nothing', () => {
    expect(ask({ budget: 0.1 })).toThrow('exceeds the budget of 0.1. Nothing was started');
    expect(said.join('\n')).toContain('total');
  });

  test('refuses without a budget and without consent', () => {
    expect(ask({})).toThrow('add --budget <usd> or --yes');
    expect(ask({ yes: true })).not.toThrow();
    expect(ask({ budget: 100 })).not.toThrow();
  });
});
