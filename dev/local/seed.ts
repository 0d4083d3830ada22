import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecretType } from '../../shared/protocol/secret.ts';
import { referenceDocuments } from '../../shared/reference-data/documents.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import type { IssuedSecret } from '../../shared/store/environments/secrets.ts';
import { type FlagStore, openStore } from '../../shared/store/store.ts';
import { recordServiceTables } from '../../shared/store/table/serviceTables.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { writePrivate } from './announcement.ts';

/** The environment of FeatBit's published benchmark. */
const BENCHMARK_ENV_ID = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const NAME = 'benchmark';

/** The environment that `npm start` makes sure of. */
export interface Seed {
  readonly keys: LocalKeys;
  /** Name or id by which `npm run flags` finds it. Undefined where it is the only one. */
  readonly environment: string | undefined;
}

/** The two secrets of the benchmark environment on this machine. */
export interface LocalKeys {
  readonly client: string;
  readonly server: string;
}

/**
 * Creates the benchmark environment, if it is not there, and once for each data folder FeatBit's five flags and two segments in it.
 * Its secrets are kept next to the tables, which hold only hashes of them. Records the names of the tables, as the tick does within a minute.
 */
export async function seedBenchmark(stack: LocalStack, dataDir: string): Promise<Seed> {
  const tables = { client: createDynamoDb({ endpoint: stack.dynamoDbEndpoint }), flags: stack.tables.flags };
  const store = openStore(tables, systemEffects, async () => ({
    by: ownCommand('start'),
    command: 'create the example flags',
  }));
  const { USAGE_TABLE: usage } = stack.environment;
  const { connections } = stack.tables;
  try {
    // The tick records it too, but up to a minute later.
    await recordServiceTables(
      { client: tables.client, name: tables.flags, effects: systemEffects },
      { connections, ...(usage ? { usage } : {}) },
    );
    const all = await store.environments.list();
    const found = all.find(({ id }) => id === BENCHMARK_ENV_ID);
    const issued = !found ? (await store.environments.create(NAME, BENCHMARK_ENV_ID)).secrets : [];
    // The keys are kept once the environment was filled. Who then deletes it, or all that is in it, wants no examples.
    const wasFilled = existsSync(keysPath(dataDir)) || (await store.documents.load(BENCHMARK_ENV_ID)).length > 0;
    if (!wasFilled) await store.documents.import(BENCHMARK_ENV_ID, referenceDocuments());
    const others = all.filter((each) => each !== found);
    return {
      keys: await keepKeys(store, dataDir, issued),
      environment: others.length === 0 ? undefined : shellWord(found?.name ?? NAME, BENCHMARK_ENV_ID),
    };
  } finally {
    store.close();
  }
}

function keysPath(dataDir: string): string {
  return join(dataDir, 'keys.json');
}

/** A name as a shell takes it, or the id where it would need quotes. */
function shellWord(name: string, id: string): string {
  return /^[\w.][\w.-]*$/.test(name) ? name : id;
}

async function keepKeys(store: FlagStore, dataDir: string, issued: readonly IssuedSecret[]): Promise<LocalKeys> {
  const path = keysPath(dataDir);
  const known = await readKeys(store, path);
  const keyFor = async (type: SecretType) =>
    issued.find(({ record }) => record.type === type)?.value ??
    known[type] ??
    (await store.secrets.create(BENCHMARK_ENV_ID, `Local ${type} key`, type)).value;
  const keys = { client: await keyFor('client'), server: await keyFor('server') };
  writePrivate(path, keys);
  return keys;
}

/** The kept secrets that still open the environment. */
async function readKeys(store: FlagStore, path: string): Promise<Partial<LocalKeys>> {
  let kept: Partial<LocalKeys>;
  try {
    kept = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
  const working: [string, string][] = [];
  for (const [type, secret] of Object.entries(kept)) {
    const grant = secret && (await store.secrets.lookUp(secret));
    if (grant && grant.revokedAt === undefined) working.push([type, secret]);
  }
  return Object.fromEntries(working);
}
