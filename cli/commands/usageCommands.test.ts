import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { usageKeys } from '../../shared/store/table/keys.ts';
import { recordServiceTables } from '../../shared/store/table/serviceTables.ts';
import { testSystemEffects as effects, type TestStore } from '../../shared/store/testing/testTables.ts';
import { recordUncounted } from '../../shared/store/usage/uncounted.ts';
import { hourOf, UNKNOWN, Usage } from '../../shared/store/usage/usage.ts';
import { TestCli } from '../testing/cli.ts';

const DAY_MS = 86_400_000;

let cli: TestCli;
let envId: string;
let ids: Record<string, string>;
let usage: Usage;
let tables: TestStore['tables'];

beforeAll(async () => {
  cli = await TestCli.start();
  ({ tables } = await cli.openService());
  usage = new Usage({ client: tables.client, name: tables.usage, effects });
  await cli.run('env', 'create', 'shop');
  for (const key of ['checkout', 'banner']) await cli.run('create', key, '--on');
  envId = (await cli.run('env', 'list', '--json')).json[0].id;
  const [flag] = (await cli.run('list', '--search', 'checkout', '--json')).json;
  ids = Object.fromEntries(flag.variations.map(({ id, value }: { id: string; value: string }) => [value, id]));
});
afterAll(() => cli.close());

const count = (flagKey: string, at: number, counts: Record<string, number>) => {
  const named = new Map(Object.entries(counts).map(([value, n]) => [ids[value] ?? value, n]));
  return usage.add(usageKeys.ofFlag(envId, flagKey, hourOf(at)), named);
};
/** Counts as if they had started at a time. */
const startAt = (at: number) =>
  new Usage({ client: tables.client, name: tables.usage, effects: { ...effects, now: () => at } }).start(envId);

test('shows nothing without a usage table', async () => {
  for (const line of [['usage', 'checkout'], ['stale']]) {
    expect(await cli.run(...line)).toMatchObject({ code: 1, err: expect.stringContaining('does not count') });
  }
});

test('a period is limited to what is kept', async () => {
  expect(await cli.run('stale', '--days', '93')).toMatchObject({ code: 2, err: expect.stringContaining('92 days') });
  expect(await cli.run('usage', 'checkout', '--days', '0')).toMatchObject({ code: 2 });
});

test('calls nothing stale before counts exist, or for longer than they do', async () => {
  await recordServiceTables({ client: tables.client, name: tables.flags, effects }, tables);
  const refused = (text: string) => ({ code: 1, out: '', err: expect.stringContaining(text) });
  expect(await cli.run('stale', '--fail')).toMatchObject(refused('no flag is called stale'));
  expect((await cli.run('usage', 'checkout')).out).toContain('checkout: 0 evaluations in 30 days, none in 92 days');
  expect((await cli.run('usage', 'checkout')).out).not.toContain('unknown');
  await startAt(effects.now() - 10 * DAY_MS - 1_000);
  expect(await cli.run('stale')).toMatchObject(refused('for less than 30 days. Use --days 10.'));
  expect(await cli.run('stale', '--days', '10')).toMatchObject(refused('was counted in 10 days'));
});

test('usage shows evaluations by day and variation', async () => {
  const now = effects.now();
  await count('checkout', now, { true: 3, false: 1 });
  await count('checkout', now - DAY_MS, { true: 1, '': 1 });
  await usage.add(usageKeys.ofUnknown(envId, hourOf(now)), new Map([[UNKNOWN, 5]]));
  const { code, out } = await cli.run('usage', 'checkout', '--days', '2');
  expect(code).toBe(0);
  expect(out).toContain('checkout: 6 evaluations in 2 days, the last in the hour from today ');
  expect(out).toMatch(/day \(UTC\).*evaluations.*true.*false.*no variation/);
  expect(out).toMatch(/ 4 .*3 \(75 %\).*1 \(25 %\).*0 \(0 %\)/);
  expect(out).toContain('In 2 days, 5 were of unknown flags or variations.');
  expect(out).not.toContain('dropped');
  const { json } = await cli.run('usage', 'checkout', '--days', '1', '--json');
  expect(json).toMatchObject({
    key: 'checkout',
    total: 4,
    lastSeen: hourOf(now),
    byHour: [{ hour: hourOf(now) }],
    environment: { unknown: 5, dropped: 0 },
  });
  expect(json.variations.map(({ name, share }: { name: string; share: number }) => [name, share])).toEqual([
    ['true', 0.75],
    ['false', 0.25],
  ]);
  expect((await cli.run('usage', 'none')).code).toBe(1);
});

test('stale lists flags with reasons, and --fail exits with 1', async () => {
  const young = await cli.run('stale', '--days', '5', '--fail');
  expect(young).toMatchObject({ code: 0, out: expect.stringContaining('no flag is stale') });
  await cli.run('archive', 'banner');
  await count('banner', effects.now() + 3_600_000, { '': 1 });
  const found = await cli.run('stale', '--days', '5');
  expect(found).toMatchObject({ code: 0, out: expect.stringMatching(/banner.*archived but still evaluated/) });
  expect(found.out).toContain('Evaluations are counted since ');
  expect((await cli.run('stale', '--days', '5', '--fail')).code).toBe(1);
  expect((await cli.run('stale', '--days', '5', '--json')).json).toMatchObject({
    days: 5,
    flags: [{ key: 'banner', reasons: ['archived-but-evaluated'] }],
  });
});

test('usage and stale fit a terminal of 80 columns', async () => {
  const { isTTY, columns } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns: 80 });
  try {
    for (const line of [
      ['usage', 'checkout'],
      ['stale', '--days', '5'],
    ]) {
      const lines = stripVTControlCharacters((await cli.run(...line)).out).split('\n');
      expect([line, lines.filter(({ length }) => length > 80)]).toEqual([line, []]);
    }
  } finally {
    Object.assign(process.stdout, { isTTY, columns });
  }
});

test('usage and stale say which evaluations are not counted', async () => {
  const unseen = 'Evaluations in functions with flagwire-provider are counted only if these report usage counts.';
  for (const line of [
    ['usage', 'checkout'],
    ['stale', '--days', '5'],
  ])
    expect((await cli.run(...line)).out).toContain(unseen);
  await recordUncounted({ client: tables.client, name: tables.flags, effects }, 'stack', { [envId]: ['Shop/Cart'] });
  for (const line of [
    ['usage', 'checkout'],
    ['stale', '--days', '5'],
  ]) {
    expect((await cli.run(...line)).out).toContain('Evaluations in Shop/Cart are not counted');
    expect((await cli.run(...line, '--json')).json).toMatchObject({ uncountedFunctions: ['Shop/Cart'] });
  }
});

test('archive and delete say how often a flag was evaluated, and end its plan', async () => {
  const note = 'checkout: evaluated 4 times in shop in the last 24 hours (true 3, false 1)';
  await cli.run('off', 'checkout', '--at', '+1h');
  expect(await cli.run('archive', 'checkout')).toMatchObject({ code: 0, err: `${note}; its plan ends` });
  expect((await cli.run('plan', 'list')).out).toBe('there are no open plans');
  expect(await cli.run('plan', 'resume', 'checkout')).toMatchObject({
    code: 1,
    err: 'error: the plan is aborted already',
  });
  const [{ command }] = (await cli.run('history', 'checkout', '--json')).json;
  expect(command).toBe('archive checkout; ended its plan');
  expect(await cli.run('archive', 'checkout', '--at', '+1h')).toMatchObject({ err: '' });
  cli.typed = 'no';
  await cli.run('env', 'mark', '--production', 'on');
  const refused = await cli.run('delete', 'checkout');
  cli.typed = undefined;
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^checkout: evaluated 4 times.*\nerror: /) });
});

test('stale says in the first day when its shortest period works', async () => {
  const { id } = (await cli.run('env', 'create', 'new', '--json')).json;
  await usage.start(id);
  const { err } = await cli.run('stale', '--env', 'new');
  expect(err).toMatch(/for less than 30 days\. --days 1 works from tomorrow \d\d:\d\d\.$/);
});
