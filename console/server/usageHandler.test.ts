import { expect, test } from '@jest/globals';
import { usageKeys } from '../../shared/store/table/keys.ts';
import { recordServiceTables } from '../../shared/store/table/serviceTables.ts';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { testEffects } from '../../shared/store/testing/testTables.ts';
import { hourOf, Usage } from '../../shared/store/usage/usage.ts';
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

test('another period is refused', async () => {
  const console = aConsole();
  const { environment } = await console.store.environments.create('other');
  expect(await console.call(`GET environments/${environment.id}/usage?flag=f&period=year`)).toMatchObject({
    status: 400,
  });
});
