import { describe, expect, test } from '@jest/globals';
import { usageKeys } from '../../shared/store/table/keys.ts';
import { recordServiceTables } from '../../shared/store/table/serviceTables.ts';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { testEffects } from '../../shared/store/testing/testTables.ts';
import { recordUncounted } from '../../shared/store/usage/uncounted.ts';
import { hourOf, Usage } from '../../shared/store/usage/usage.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { aConsole } from '../testing/console.ts';

const NOW = Date.UTC(2026, 10, 26, 3, 30);
const HOUR_MS = 3_600_000;

useTables();

test('evaluations of a flag are shown by hour or by day, once the service counts', async () => {
  const effects = testEffects(NOW);
  const console = aConsole({ effects });
  const { environment } = await console.store.environments.create('shop');
  const { client, flags, connections, usage: name } = console.store.tables;
  const ask = (query: string) => console.call(`GET environments/${environment.id}/usage?${query}`);
  expect(await ask('flag=f&period=day')).toEqual({ status: 200, json: { kind: 'off' } });

  await recordServiceTables({ client, name: flags, effects }, { connections, usage: name });
  const usage = new Usage({ client, name, effects });
  await usage.start(environment.id);
  const count = (hoursAgo: number, on: number) =>
    usage.add(usageKeys.ofFlag(environment.id, 'f', hourOf(NOW - hoursAgo * HOUR_MS)), new Map([['on', on]]));
  for (const [hoursAgo, on] of [
    [0, 1],
    [2, 2],
    [23, 4],
    [24, 8],
  ] as const) {
    await count(hoursAgo, on);
  }
  const { json: day } = await ask('flag=f&period=day');
  expect(day).toMatchObject({
    kind: 'counted',
    total: 7,
    counts: { on: 7 },
    lastSeen: '2026-11-26T03',
    startedAt: NOW,
  });
  expect(day.bars).toHaveLength(24);
  expect(day.bars[0]).toEqual({ at: '2026-11-25T04', counts: { on: 4 } });
  expect(day.bars.at(-1)).toEqual({ at: '2026-11-26T03', counts: { on: 1 } });
  const { json: month } = await ask('flag=f&period=month');
  expect(month.bars.slice(-2)).toEqual([
    { at: '2026-11-25', counts: { on: 12 } },
    { at: '2026-11-26', counts: { on: 3 } },
  ]);
  expect(month.bars).toHaveLength(30);
});

describe('the activity of an environment', () => {
  test('counts changes of 7 days, and evaluations of all flags in 24 hours', async () => {
    const effects = testEffects(NOW - 8 * 24 * HOUR_MS);
    const console = aConsole({ effects });
    const { environment } = await console.store.environments.create('active');
    const put = (key: string) => console.store.documents.writeFlag(environment.id, key, () => aFlag({ key }));
    await put('old');
    const { client, flags, connections, usage: name } = console.store.tables;
    await recordServiceTables({ client, name: flags, effects }, { connections, usage: name });
    const usage = new Usage({ client, name, effects });
    await usage.start(environment.id);
    effects.clock.now = NOW;
    for (const key of ['a', 'b', 'c', 'd']) await put(key);
    for (const [index, key] of ['a', 'b', 'c', 'd', 'old'].entries()) {
      const counts = new Map([
        ['on', 10 - index],
        ['off', 1],
      ]);
      await usage.add(usageKeys.ofFlag(environment.id, key, hourOf(NOW - HOUR_MS)), counts);
    }
    await usage.add(usageKeys.ofFlag(environment.id, 'a', hourOf(NOW - 24 * HOUR_MS)), new Map([['on', 99]]));
    const { status, json } = await console.call(`GET environments/${environment.id}/activity`);
    expect([status, json.changes, json.usage.isAtLeast, json.usage.stale]).toEqual([200, 4, false, []]);
    expect(json.usage.bars).toHaveLength(24);
    expect(json.usage.bars.at(-2)).toEqual({ at: '2026-11-26T02', counts: { on: 40, off: 5 } });
    expect(json.usage.bars[0]).toEqual({ at: '2026-11-25T04', counts: {} });
  });

  test('lists stale flags after 7 days of counting', async () => {
    const effects = testEffects(NOW);
    const console = aConsole({ effects });
    const { environment } = await console.store.environments.create('quiet');
    const ask = async () => (await console.call(`GET environments/${environment.id}/activity`)).json.usage;
    await console.store.documents.writeFlag(environment.id, 'seen', () => aFlag({ key: 'seen', isEnabled: false }));
    await console.store.documents.writeFlag(environment.id, 'unseen', () => aFlag({ key: 'unseen', isEnabled: false }));
    const { client, flags, connections, usage: name } = console.store.tables;
    await recordServiceTables({ client, name: flags, effects }, { connections, usage: name });
    const usage = new Usage({ client, name, effects });
    effects.clock.now += HOUR_MS;
    await usage.start(environment.id);
    expect(await ask()).not.toHaveProperty('stale');
    effects.clock.now += 7 * 24 * HOUR_MS;
    const counts = new Map([
      ['on', 1],
      ['off', 1],
    ]);
    await usage.add(usageKeys.ofFlag(environment.id, 'seen', hourOf(effects.now())), counts);
    expect(await ask()).toMatchObject({ stale: [{ key: 'unseen', reasons: ['never-evaluated'] }], uncounted: [] });

    await recordUncounted({ client, name: flags, effects }, 'stack', { [environment.id]: ['Shop/Cart'] });
    effects.clock.now += HOUR_MS;
    expect(await ask()).toMatchObject({ stale: [], uncounted: ['Shop/Cart'] });
  });
});

test('another period is refused', async () => {
  const console = aConsole();
  const { environment } = await console.store.environments.create('other');
  expect(await console.call(`GET environments/${environment.id}/usage?flag=f&period=year`)).toMatchObject({
    status: 400,
  });
});
