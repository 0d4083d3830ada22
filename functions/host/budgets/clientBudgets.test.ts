import { beforeEach, expect, test } from '@jest/globals';
import { ClientBudgets, requestUnits } from './clientBudgets.ts';

let now: number;
let budgets: ClientBudgets;
let exceeded: string[];
beforeEach(() => {
  now = 1_000;
  exceeded = [];
  const config = { maxMessagesPerSecond: 10, budgetsPerAddress: 2, trustedProxies: 0 };
  budgets = new ClientBudgets(
    config,
    8,
    () => now,
    (limit) => exceeded.push(limit),
  );
});

test('many connections of one address use one allowance', () => {
  const connections = Array.from({ length: 4 }, () => budgets.connect('a'));
  expect(connections.map((each) => each.take(100))).toEqual([true, true, false, false]);
  expect(connections[0]?.take(1)).toBe(false);
  expect(budgets.connect('b').take(100)).toBe(true);
  expect(budgets.connect(undefined).take(100)).toBe(true);
  expect(exceeded).toEqual(['address messages', 'address messages', 'messages']);
});

test('a connection that is released twice counts once', () => {
  const [first] = Array.from({ length: 4 }, () => budgets.connect('a'));
  expect([budgets.mayConnect('a'), budgets.mayConnect('b'), budgets.mayConnect(undefined)]).toEqual([
    false,
    true,
    true,
  ]);
  first?.release();
  expect(budgets.mayConnect('a')).toBe(true);
  budgets.connect('a');
  first?.release();
  expect(budgets.mayConnect('a')).toBe(false);
  expect(exceeded).toEqual(['address connections', 'address connections']);
});

const one = () => 1;

test('an address has some requests in progress, and the next gets 429', async () => {
  const pending = Array.from({ length: 20 }, () => Promise.withResolvers<Response>());
  const answers = pending.map(({ promise }) => budgets.answer('a', one, () => promise));
  const refused = await budgets.answer('a', one, () => new Response('late'));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await budgets.answer('b', one, () => new Response())).status).toBe(200);
  for (const { resolve } of pending.slice(1)) resolve(new Response());
  pending[0]?.reject(new Error('failed'));
  await Promise.allSettled(answers);
  expect((await budgets.answer('a', one, () => new Response())).status).toBe(200);
  expect(exceeded).toEqual(['address requests']);
});

test.each([
  ['/ofrep/v1/evaluate/flags/f', { 'content-length': '1024' }, 2],
  ['/ofrep/v1/evaluate/flags', { 'content-length': '1024' }, 12],
  ['/api/public/sdk/client/latest-all', {}, 11],
  ['/API/public/featureflag/evaluate/', {}, 11],
  ['/health/liveness', {}, 1],
  ['/api/public/insight/track', { 'content-length': '1048576' }, 1_025],
  ['/api/public/insight/track', { 'transfer-encoding': 'chunked' }, 512],
  ['/', { 'content-length': 'x' }, 1],
])('counts what a request to %s costs, with %j', (path, headers: Record<string, string>, units) => {
  expect(requestUnits(path, (name) => headers[name])).toBe(units);
});

test('addresses are forgotten when they are idle and their allowance is full', () => {
  const held = budgets.connect('held');
  for (let n = 0; n < 100; n++) budgets.connect(`${n}`).release();
  expect(budgets.addresses).toBeLessThanOrEqual(3);
  for (let n = 0; n < 20_000; n++) {
    const each = budgets.connect(`used ${n}`);
    each.take(50);
    each.release();
  }
  expect(budgets.addresses).toBeLessThanOrEqual(10_002);
  now += 60_000;
  for (let n = 0; n < 20_000; n++) budgets.connect(`${n}`).release();
  expect(budgets.addresses).toBeLessThanOrEqual(3);
  budgets.connect('held');
  held.release();
  expect(budgets.mayConnect('held')).toBe(true);
});
