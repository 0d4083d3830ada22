import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { asDeleted } from '../../shared/flags/deletion.ts';
import type { Document } from '../../shared/flags/document.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import { envIdOfSecret } from '../../shared/protocol/secret.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { requireDocument } from '../../shared/store/documents/item.ts';
import { type FlagStore, openStore } from '../../shared/store/store.ts';
import { hashSecret } from '../../shared/store/table/keys.ts';
import { readServiceTables } from '../../shared/store/table/serviceTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { clientEnvironment } from '../emulator/clients.ts';
import { type LocalDynamoDb, startDynamoDb } from '../emulator/dynamodb/server.ts';
import { clientOf } from '../emulator/dynamodb/testing/client.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { applyEnvironment } from '../emulator/lambda/environment.ts';
import { createTables } from '../emulator/tables.ts';
import { readModel } from '../emulator/template/resolve.ts';
import { dataTemplate } from '../emulator/testing/templates.ts';
import { seedBenchmark } from './seed.ts';

const ENV = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const root = mkdtempSync(join(tmpdir(), 'flagwire-seed-'));

let db: LocalDynamoDb;
let stack: LocalStack;
let store: FlagStore;
let dataDir: string;
let restoreEnvironment: () => void;
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(async () => {
  dataDir = mkdtempSync(join(root, 'data-'));
  db = await startDynamoDb();
  const { endpoint, accessKey } = db;
  restoreEnvironment = applyEnvironment(clientEnvironment({ dynamoDb: endpoint, services: '', accessKey }));
  const addresses = { gatewayUrl: 'http://gateway', serviceUrl: 'http://services', streamArn: () => undefined };
  await createTables(readModel({ Data: dataTemplate }, addresses), db.endpoint);
  const names = { flags: 'Data-Flags', connections: 'Data-Connections' };
  stack = {
    dynamoDbEndpoint: db.endpoint,
    tables: names,
    environment: { USAGE_TABLE: 'Data-Usage' },
  } as unknown as LocalStack;
  store = openStore({ client: clientOf(db), ...names });
});
afterEach(async () => {
  store.close();
  restoreEnvironment();
  await db.close();
});

const start = async () => (await seedBenchmark(stack, dataDir)).keys;
const keysFile = () => join(dataDir, 'keys.json');
const keptKeys = () => JSON.parse(readFileSync(keysFile(), 'utf8'));
const contents = async () => (await store.documents.load(ENV)).map(({ kind, id, updatedAt }) => [kind, id, updatedAt]);
const secretCount = async () => (await store.environments.find(ENV)).secrets.length;
const grantOf = (secret: string) => store.secrets.lookUp(secret);

describe('the first start', () => {
  test('makes the benchmark’s environment, with its five flags and two segments', async () => {
    await start();
    expect(await store.environments.list()).toEqual([{ id: ENV, name: 'benchmark', isProduction: false }]);
    const table = { client: clientOf(db), name: 'Data-Flags', effects: systemEffects };
    expect(await readServiceTables(table)).toEqual({ connections: 'Data-Connections', usage: 'Data-Usage' });
    table.client.destroy();
    const kinds = (await contents()).map(([kind]) => kind);
    expect([kinds.length, kinds.filter((kind) => kind === 'flag').length]).toEqual([7, 5]);
    expect((await contents()).map(([, id]) => id)).toContain('returns-true');
  });

  test('records the tables, where the command line finds them', async () => {
    await start();
    const table = { client: clientOf(db), name: stack.tables.flags, effects: systemEffects };
    expect(await readServiceTables(table)).toEqual({
      connections: stack.tables.connections,
      usage: stack.environment['USAGE_TABLE'],
    });
    table.client.destroy();
  });

  test('knows the two keys, and keeps them where only their owner may read them', async () => {
    const keys = await start();
    expect(await grantOf(keys.client)).toEqual({ envId: ENV, type: 'client' });
    expect(await grantOf(keys.server)).toEqual({ envId: ENV, type: 'server' });
    expect([envIdOfSecret(keys.client), envIdOfSecret(keys.server)]).toEqual([ENV, ENV]);
    expect(keptKeys()).toEqual(keys);
    expect(statSync(keysFile()).mode & 0o777).toBe(0o600);
  });
});

describe('the environment', () => {
  const environment = async () => (await seedBenchmark(stack, dataDir)).environment;

  test('is named only where there are several', async () => {
    expect(await environment()).toBeUndefined();
    await store.environments.create('shop');
    expect(await environment()).toBe('benchmark');
  });

  test('is named by its id where a shell would split its name', async () => {
    await start();
    await store.environments.create('shop');
    await store.environments.change({ id: ENV }, { name: 'FeatBit benchmark' });
    expect(await environment()).toBe(ENV);
  });
});

describe('a later start', () => {
  test('changes nothing', async () => {
    const keys = await start();
    const before = [await contents(), await store.environments.find(ENV)];
    expect(await start()).toEqual(keys);
    expect([await contents(), await store.environments.find(ENV)]).toEqual(before);
  });

  test('fills an environment that an interrupted start left empty', async () => {
    await store.environments.create('benchmark', ENV);
    const keys = await start();
    expect(await contents()).toHaveLength(7);
    expect(await grantOf(keys.client)).toMatchObject({ envId: ENV, type: 'client' });
  });

  test('keeps what an operator changed, archived and added', async () => {
    await start();
    const edit = (key: string, change: (flag: Flag) => Flag) =>
      store.documents.writeFlag(ENV, key, (flag) => change(flag as Flag));
    await edit('returns-true', (flag) => ({ ...flag, isEnabled: false }));
    await edit('two-custom-rules', (flag) => ({ ...flag, isArchived: true }));
    await store.documents.writeFlag(ENV, 'mine', () => aFlag({ key: 'mine' }));
    const before = await contents();
    await start();
    expect(await contents()).toEqual(before);
    expect(before).toHaveLength(8);
  });

  test('brings no example back that was deleted, also not with the environment', async () => {
    await start();
    const removed = (await store.documents.load(ENV)).map(requireDocument);
    await store.documents.writeAll(ENV, () =>
      removed.map((each) => ({ ...each, document: asDeleted(each.document) }) as Document),
    );
    const before = await contents();
    await start();
    expect(await contents()).toEqual(before);

    await store.environments.remove(await store.environments.find(ENV));
    await start();
    expect(await contents()).toEqual([]);
  });

  test('makes a new key in the place of one that was revoked, and keeps the other', async () => {
    const keys = await start();
    const { secrets } = await store.environments.find(ENV);
    const revoked = secrets.find(({ hash }) => hash === hashSecret(keys.client));
    await store.secrets.revoke(ENV, revoked?.id ?? '');
    const next = await start();
    expect(next.server).toBe(keys.server);
    expect(next.client).not.toBe(keys.client);
    expect(await grantOf(next.client)).toEqual({ envId: ENV, type: 'client' });
    expect(await start()).toEqual(next);
  });

  test.each([
    ['are lost', undefined],
    ['are no JSON', '{"client":'],
    ['open nothing', JSON.stringify({ client: 'x', server: 'y' })],
  ])('makes new keys where the kept ones %s, once', async (_, text) => {
    await start();
    if (text === undefined) rmSync(keysFile());
    else writeFileSync(keysFile(), text);
    const keys = await start();
    expect(keptKeys()).toEqual(keys);
    expect(await grantOf(keys.server)).toEqual({ envId: ENV, type: 'server' });
    expect(await secretCount()).toBe(4);
    await start();
    expect(await secretCount()).toBe(4);
  });
});
