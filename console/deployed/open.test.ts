import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { systemEffects } from '../../shared/runtime/effects.ts';
import { recordServiceVersion } from '../../shared/store/table/serviceVersion.ts';
import { store, useStore } from '../../shared/store/testing/testStore.ts';
import { environmentOf } from '../../shared/store/testing/testTables.ts';
import { TOKEN_HEADER } from '../api.ts';
import { openDeployedConsole } from './open.ts';

/** Where nothing listens: no test asks AWS. */
const NOWHERE = 'http://127.0.0.1:1';
const before = { ...process.env };
let opened: Awaited<ReturnType<typeof openDeployedConsole>> | undefined;

useStore(systemEffects);
beforeAll(async () => {
  Object.assign(process.env, await environmentOf(store.tables.client), {
    AWS_ENDPOINT_URL: NOWHERE,
    AWS_REGION: 'eu-west-1',
    AWS_MAX_ATTEMPTS: '1',
  });
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
afterAll(() => {
  process.env = before;
});

const open = (table?: string, port = 0) =>
  openDeployedConsole(
    { deployment: 'Flagwire-dev', ...(table === undefined ? {} : { table }), connections: 'Connections' },
    port,
  );

test('a deployed table is looked at by whoever has the address', async () => {
  await store.environments.create('shop');
  opened = await open('Flags');
  const [page = '', token = ''] = opened.url.split('#token=');
  expect(page).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/$/);
  expect(token).toMatch(/^[\w-]{43}$/);
  const ask = async (path: string) =>
    (await fetch(`${page}api/${path}`, { headers: { [TOKEN_HEADER]: token } })).json();
  expect(await ask('context')).toMatchObject({
    mode: 'aws',
    table: 'Flags',
    region: 'eu-west-1',
    by: expect.stringContaining('@'),
  });
  expect(await ask('environments')).toMatchObject([{ name: 'shop' }]);
  expect((await fetch(`${page}api/context`)).status).toBe(401);
});

test('a service of another version is reported', async () => {
  const table = { client: store.tables.client, name: 'Flags', effects: systemEffects };
  await recordServiceVersion(table, '99.0.0');
  opened = await open('Flags');
  expect(opened.warning).toMatch(/^Flagwire 99\.0\.0 is deployed, /);
  const [page = '', token = ''] = opened.url.split('#token=');
  const response = await fetch(`${page}api/context`, { headers: { [TOKEN_HEADER]: token } });
  expect(await response.json()).toMatchObject({ versionWarning: opened.warning });
  await recordServiceVersion(table, packageJson.version);
  await opened.close();
  opened = await open('Flags');
  expect(opened.warning).toBeUndefined();
});

test('each start has a token of its own', async () => {
  opened = await open('Flags');
  const first = opened.url;
  await opened.close();
  opened = await open('Flags');
  expect(opened.url.split('#')[1]).not.toBe(first.split('#')[1]);
});

test('explains what keeps it from starting, with the way out', async () => {
  await expect(open('NoSuchTable')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  await expect(open()).rejects.toThrow(/^the stack Flagwire-dev-Data cannot be read: .* name the table with --table$/);
  opened = await open('Flags');
  const { port } = new URL(opened.url);
  await expect(open('Flags', Number(port))).rejects.toThrow(`port ${port} is already in use`);
});
