import { describe, expect, test } from '@jest/globals';
import { reference } from '../scenarios/profiles.ts';
import { aLoadProfile } from '../testing/results.ts';
import { confirmCost, estimateCost } from './estimate.ts';
import type { Options } from './options.ts';

const workers = { count: 2, cpu: 4, memory: 8 };
const plan = reference({ rate: 1_000, rampS: 20, durationS: 180, pingS: 18 } as never);
const gateway = 'wss://abc.execute-api.eu-west-1.amazonaws.com';

describe('the estimate', () => {
  test('of workers is what their size costs for their time and five minutes more', () => {
    const { total } = estimateCost([aLoadProfile({ durationS: 3_300 })], workers, 'ws://10.0.0.1:5100');
    expect(total).toBeCloseTo(2 * (4 * 0.04048 + 8 * 0.004445), 6);
  });

  test('of the reference against API Gateway has its messages and minutes, worked by hand', () => {
    const { items } = estimateCost([plan], workers, gateway);
    // 20,000 connections: a data-sync and its answer, ten pings and pongs; three minutes each.
    expect(items[1]).toEqual(['440000 WebSocket messages', expect.closeTo(0.44, 6)]);
    expect(items[2]).toEqual(['60000 connection minutes', expect.closeTo(0.015, 6)]);
  });

  test('of more runs is their sum', () => {
    const one = estimateCost([plan], workers, gateway).total;
    expect(estimateCost([plan, plan, plan], workers, gateway).total).toBeCloseTo(3 * one, 9);
  });
});

describe('before money is spent', () => {
  const options = { fargate: 2, cpu: 4, memory: 8, target: gateway } as Options;
  const said: string[] = [];
  const ask = (more: Partial<Options>) => () => confirmCost([plan], { ...options, ...more }, (line) => said.push(line));

  test('a budget that does not suffice stops everything', () => {
    expect(ask({ budget: 0.1 })).toThrow('exceeds the budget of 0.1. Nothing was started');
    expect(said.join('\n')).toContain('total');
  });

  test('neither a budget nor consent is an answer', () => {
    expect(ask({})).toThrow('add --budget <usd> or --yes');
    expect(ask({ yes: true })).not.toThrow();
    expect(ask({ budget: 100 })).not.toThrow();
  });
});
