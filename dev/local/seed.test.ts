import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '../../infra/repository.ts';
import { explainFlag } from '../../shared/describe/explain.ts';
import { asDeleted } from '../../shared/flags/deletion.ts';
import { byKind, type Document, documentId } from '../../shared/flags/document.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import { envIdOfSecret } from '../../shared/protocol/secret.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { requireDocument } from '../../shared/store/documents/item.ts';
import { type FlagStore, openStore } from '../../shared/store/store.ts';
import { hashSecret } from '../../shared/store/table/keys.ts';
import { readServiceTables } from '../../shared/store/table/serviceTables.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { aFlag, aUser } from '../../shared/testing/builders.ts';
import { clientEnvironment } from '../emulator/clients.ts';
import { type LocalDynamoDb, startDynamoDb } from '../emulator/dynamodb/server.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { applyEnvironment } from '../emulator/lambda/environment.ts';
import { createTables } from '../emulator/tables.ts';
import { readModel } from '../emulator/template/resolve.ts';
import { dataTemplate } from '../emulator/testing/templates.ts';
import { seedExamples } from './seed.ts';

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
  await createTables(readModel({ Data: dataTemplate }, addresses), db);
  const names = { flags: 'Data-Flags', connections: 'Data-Connections' };
  stack = {
    dynamoDbEndpoint: db.endpoint,
    tables: names,
    environment: { USAGE_TABLE: 'Data-Usage' },
  } as unknown as LocalStack;
  store = openStore({ client: createDynamoDb(), ...names });
});
afterEach(async () => {
  store.close();
  restoreEnvironment();
  await db.close();
});

const start = async () => (await seedExamples(stack, dataDir, 'benchmark')).keys;
const keysFile = () => join(dataDir, 'keys.json');
const keptKeys = () => JSON.parse(readFileSync(keysFile(), 'utf8'));
const contents = async () => (await store.documents.load(ENV)).map(({ kind, id, updatedAt }) => [kind, id, updatedAt]);
const secretCount = async () => (await store.environments.find(ENV)).secrets.length;
const grantOf = (secret: string) => store.secrets.lookUp(secret);

describe('the first start', () => {
  test('makes the benchmark’s environment, with its five flags and two segments', async () => {
    await start();
    expect(await store.environments.list()).toEqual([{ id: ENV, name: 'benchmark', isProduction: false }]);
    const table = { client: createDynamoDb(), name: 'Data-Flags', effects: systemEffects };
    expect(await readServiceTables(table)).toEqual({ connections: 'Data-Connections', usage: 'Data-Usage' });
    table.client.destroy();
    const kinds = (await contents()).map(([kind]) => kind);
    expect([kinds.length, kinds.filter((kind) => kind === 'flag').length]).toEqual([7, 5]);
    expect((await contents()).map(([, id]) => id)).toContain('returns-true');
  });

  test('records the tables, where the command line finds them', async () => {
    await start();
    const table = { client: createDynamoDb(), name: stack.tables.flags, effects: systemEffects };
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

describe('the shop', () => {
  const open = () => seedExamples(stack, dataDir, 'shop');
  const listed = async () =>
    (await store.environments.list()).map(({ name, isProduction }) => (isProduction ? `${name}!` : name));
  const documentsIn = async (name: string) =>
    (await store.documents.load((await store.environments.find(name)).id)).map((each) => requireDocument(each));
  const flagsIn = async (name: string) => byKind(await documentsIn(name)).flags;

  test('has two environments, with the same flags and segments', async () => {
    const seed = await open();
    expect(await listed()).toEqual(['development', 'production!']);
    expect(seed).toMatchObject({ environment: 'development', flagKey: 'new-checkout', flagType: 'boolean' });
    const ids = ['banner-text', 'new-checkout', 'rate-limits', 'search-ranking', 'beta', 'staff'];
    for (const name of ['development', 'production']) {
      expect((await documentsIn(name)).map(documentId).toSorted()).toEqual(ids.toSorted());
    }
    const isOn = async (name: string) =>
      (await flagsIn(name))
        .filter(({ isEnabled }) => isEnabled)
        .map(({ key }) => key)
        .toSorted();
    expect(await isOn('development')).toEqual(ids.slice(0, 4));
    expect(await isOn('production')).toEqual(['banner-text', 'rate-limits', 'search-ranking']);
  });

  test('has the flag that the README flips', async () => {
    const { flagKey } = await open();
    const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
    expect(readme).toMatch(new RegExp(`toggle ${flagKey}\\b`));
    expect(readme).toContain(`boolVariation('${flagKey}', user`);
  });

  test('has the present as version of its flags and segments', async () => {
    const before = Date.now();
    await open();
    for (const { document } of await documentsIn('development')) {
      expect(Date.parse(document.updatedAt)).toBeGreaterThanOrEqual(before);
    }
  });

  test('serves its new checkout to the user of the snippets, and to beta users and staff', async () => {
    await open();
    const { flags, segments } = byKind(await documentsIn('development'));
    const flag = flags.find(({ key }) => key === 'new-checkout') as Flag;
    const valueFor = (...user: Parameters<typeof aUser>) => explainFlag(flag, aUser(...user), segments).result.value;
    expect(valueFor('u1')).toBe('true');
    // A user of the other share, except by a rule.
    expect(valueFor('u13')).toBe('false');
    expect(valueFor('u13', { plan: 'beta' })).toBe('true');
    expect(valueFor('u13', { role: 'staff' })).toBe('true');
  });

  test('has only conditions that SDKs can evaluate for a user without attributes', async () => {
    await open();
    const { flags, segments } = byKind(await documentsIn('development'));
    const rules = [...flags, ...segments].flatMap((each) => [...each.rules]);
    const operators = rules.flatMap(({ conditions }) => conditions.map(({ op }) => op ?? 'in segment'));
    expect([...new Set(operators)].toSorted()).toEqual(['Equal', 'IsOneOf', 'in segment']);
  });

  test('shows the keys of development, and keeps those of production', async () => {
    const { keys } = await open();
    const { id } = await store.environments.find('development');
    expect(await grantOf(keys.client)).toEqual({ envId: id, type: 'client' });
    expect(await grantOf(keys.server)).toEqual({ envId: id, type: 'server' });
    const { id: production } = await store.environments.find('production');
    const others = await Promise.all((keys.others ?? []).map(grantOf));
    expect(others).toEqual([
      { envId: production, type: 'server' },
      { envId: production, type: 'client' },
    ]);
    expect(keptKeys()).toEqual(keys);
  });

  test('stays as it was changed', async () => {
    const first = await open();
    await store.environments.change(await store.environments.find('development'), { name: 'dev' });
    await store.environments.remove(await store.environments.find('production'));
    const before = await documentsIn('dev');
    expect(await open()).toMatchObject({ environment: 'dev', keys: { server: first.keys.server } });
    expect([await listed(), await documentsIn('dev')]).toEqual([['dev'], before]);
  });

  test('is completed after an interrupted start', async () => {
    await open();
    await store.environments.remove(await store.environments.find('production'));
    rmSync(keysFile());
    await open();
    expect(await listed()).toEqual(['development', 'production!']);
  });

  test('is not created where another version or --benchmark created the benchmark', async () => {
    const keys = await start();
    expect(await open()).toEqual({ keys, environment: 'benchmark', flagKey: 'returns-true', flagType: 'boolean' });
    expect(await listed()).toEqual(['benchmark']);
  });

  test('is not created where the operator has other environments only', async () => {
    const { environment } = await store.environments.create('mine');
    expect(await open()).toMatchObject({ environment: 'mine', flagKey: 'my-flag' });
    const text = aFlag({ key: 'title', variationType: 'string' });
    await store.documents.import(environment.id, [{ kind: 'flag', document: text }]);
    expect(await open()).toMatchObject({ flagKey: 'title', flagType: 'string' });
    expect(await listed()).toEqual(['mine']);
  });

  test('keeps its keys while the benchmark is in use', async () => {
    const { keys } = await open();
    const benchmark = await start();
    expect(await grantOf(benchmark.client)).toEqual({ envId: ENV, type: 'client' });
    const { client, server } = (await open()).keys;
    expect([client, server]).toEqual([keys.client, keys.server]);
    const again = await start();
    expect([again.client, again.server]).toEqual([benchmark.client, benchmark.server]);
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

  test('brings no example back that was deleted, unless its environment is', async () => {
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
    expect(await contents()).toHaveLength(7);
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
