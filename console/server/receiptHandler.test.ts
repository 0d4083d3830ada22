import { expect, test } from '@jest/globals';
import { shardOf } from '../../shared/store/connections/connection.ts';
import { connect } from '../../shared/store/testing/connect.ts';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { testEffects } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { aConsole } from '../testing/console.ts';

useTables();

test('shows how many connections have a change, and reads again after some seconds', async () => {
  const effects = testEffects();
  const console = aConsole({ effects });
  const { store } = console;
  const { environment } = await store.environments.create('receipts');
  const { id } = environment;
  expect(await console.call(`GET environments/${id}/receipt`)).toMatchObject({
    status: 404,
    json: { error: { message: 'the history has no changes' } },
  });
  effects.clock.now += 60_000;
  await connect(store.connections, id, { id: 'c', type: 'server', requestedAt: effects.now() - 1 }, 0);
  const [written] = await store.documents.writeFlag(id, 'f', () => aFlag({ key: 'f' }));
  const version = written?.updatedAt ?? 0;
  effects.clock.now += 5_000;
  const read = async (query = '') => (await console.call(`GET environments/${id}/receipt${query}`)).json;
  const live = 'live on 0 of 1 SDK';
  const behind = {
    isComplete: false,
    live,
    lines: [live, 'behind: 1 push pending (c)'],
  };
  expect(await read()).toEqual(behind);
  await store.connections.shards.markServed(id, shardOf('c'), version, [{ version, at: version + 900, left: 0 }]);
  expect(await read()).toEqual(behind);
  effects.clock.now += 5_000;
  const handed = 'live on 1 of 1 SDK in 0.9 s';
  const complete = { isComplete: true, live: handed, lines: [handed] };
  expect(await read()).toEqual(complete);
  expect(await read(`?version=${version}`)).toEqual(complete);
  expect(await console.call(`GET environments/${id}/receipt?version=5`)).toMatchObject({
    status: 404,
    json: { error: { message: 'the history has no change 1970-01-01T00:00:00.005Z' } },
  });
});
