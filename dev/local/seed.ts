import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagToFlip } from '../../shared/describe/flagToFlip.ts';
import { byKind, type Document } from '../../shared/flags/document.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import type { SecretType } from '../../shared/protocol/secret.ts';
import { referenceDocuments } from '../../shared/reference-data/documents.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { readableDocument } from '../../shared/store/documents/item.ts';
import type { SecretGrant } from '../../shared/store/environments/secrets.ts';
import { type FlagStore, openStore } from '../../shared/store/store.ts';
import { recordServiceTables } from '../../shared/store/table/serviceTables.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { writePrivate } from './announcement.ts';
import { shopDocuments } from './shop.ts';

/** Example environments. An id is known, so that a later start finds a renamed one. */
const BENCHMARK = { id: '226b9bf8-4af3-4ffa-9b01-162270e4cd40', name: 'benchmark' };
export const DEVELOPMENT = { id: '09073f8b-1560-46bd-8768-fdfb5a9b3272', name: 'development' };
const PRODUCTION = { id: '0e290f68-4e6e-4a48-8960-176597a295c4', name: 'production' };

/** The flag of the examples where there is none. */
const NO_FLAG = { key: 'my-flag', variationType: 'boolean' } as const;

/** The environment that `npm start` shows. */
export interface Seed {
  readonly keys: LocalKeys;
  /** Its name. */
  readonly environment: string;
  /** The flag of its examples. */
  readonly flagKey: string;
  readonly flagType: Flag['variationType'];
}

/** Two secrets of an environment on this machine. */
export interface LocalKeys {
  readonly client: string;
  readonly server: string;
  /** Secrets of other environments. */
  readonly others?: readonly string[];
}

/**
 * Creates example environments. `shop` creates `development` and `production`, if the table has no environment. Otherwise it uses
 * `development`, else `benchmark`, else any environment. `benchmark` makes sure of the environment of FeatBit's published benchmark.
 * Secrets are kept next to the tables, which contain only their hashes. Records the names of the tables, as the tick does within a minute.
 */
export async function seedExamples(stack: LocalStack, dataDir: string, examples: 'shop' | 'benchmark'): Promise<Seed> {
  const tables = { client: createDynamoDb({ endpoint: stack.dynamoDbEndpoint }), flags: stack.tables.flags };
  const store = openStore(tables, systemEffects, async () => ({
    by: ownCommand('start'),
    command: 'create the example flags',
  }));
  const { USAGE_TABLE: usage } = stack.environment;
  const { connections } = stack.tables;
  const issued: string[] = [];
  const create = async ({ id, name }: typeof BENCHMARK, documents: readonly Document[]) => {
    if (!(await store.environments.list()).some((each) => each.id === id)) {
      issued.push(...(await store.environments.create(name, id)).secrets.map(({ value }) => value));
    }
    // Deleted documents stay. An environment without any is new, also after an interrupted start.
    if ((await store.documents.load(id)).length === 0) await store.documents.import(id, documents);
  };
  try {
    // The tick records it too, but up to a minute later.
    await recordServiceTables(
      { client: tables.client, name: tables.flags, effects: systemEffects },
      { connections, ...(usage ? { usage } : {}) },
    );
    const before = await store.environments.list();
    const wasInterrupted = !existsSync(keysPath(dataDir)) && before.some(({ id }) => id === DEVELOPMENT.id);
    if (examples === 'benchmark') {
      await create(BENCHMARK, referenceDocuments());
    } else if (before.length === 0 || wasInterrupted) {
      const { development, production } = shopDocuments();
      await create(DEVELOPMENT, development);
      await create(PRODUCTION, production);
      await store.environments.change(PRODUCTION, { isProduction: true });
    }
    const all = await store.environments.list();
    const wanted = examples === 'benchmark' ? [BENCHMARK] : [DEVELOPMENT, BENCHMARK, ...all];
    const found = wanted.flatMap(({ id }) => all.find((each) => each.id === id) ?? [])[0] ?? DEVELOPMENT;
    const { flags, segments } = byKind(
      (await store.documents.load(found.id)).flatMap((each) => readableDocument(each) ?? []),
    );
    const { key: flagKey, variationType: flagType } = flagToFlip(flags, segments) ?? NO_FLAG;
    return {
      keys: await keepKeys(store, dataDir, found.id, issued),
      environment: found.name,
      flagKey,
      flagType,
    };
  } finally {
    store.close();
  }
}

function keysPath(dataDir: string): string {
  return join(dataDir, 'keys.json');
}

/** Writes the keys of an environment, new ones where they are missing. Other kept secrets stay in the file. */
async function keepKeys(store: FlagStore, dataDir: string, envId: string, issued: string[]): Promise<LocalKeys> {
  const path = keysPath(dataDir);
  const working = new Map<string, SecretGrant>();
  for (const secret of [...issued, ...readSecrets(path)]) {
    const grant = await store.secrets.lookUp(secret);
    if (grant && grant.revokedAt === undefined) working.set(secret, grant);
  }
  const keyFor = async (type: SecretType) =>
    [...working].find(([, grant]) => grant.envId === envId && grant.type === type)?.[0] ??
    (await store.secrets.create(envId, `Local ${type} key`, type)).value;
  const keys = { client: await keyFor('client'), server: await keyFor('server') };
  const others = [...working.keys()].filter((secret) => secret !== keys.client && secret !== keys.server);
  const kept = { ...keys, ...(others.length > 0 && { others }) };
  writePrivate(path, kept);
  return kept;
}

/** The secrets in the file. */
function readSecrets(path: string): string[] {
  try {
    return Object.values<string | string[]>(JSON.parse(readFileSync(path, 'utf8'))).flat();
  } catch {
    return [];
  }
}
