import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SecretType } from '../../shared/protocol/secret.ts';
import { referenceDocuments } from '../../shared/reference-data/documents.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import type { IssuedSecret } from '../../shared/store/secrets.ts';
import { type FlagStore, openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { writePrivate } from './announcement.ts';

/** The environment of FeatBit's published benchmark. */
const BENCHMARK_ENV_ID = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';

/** The two secrets of the benchmark environment on this machine. */
export interface LocalKeys {
  readonly client: string;
  readonly server: string;
}

/**
 * Makes sure that the benchmark environment is there, with FeatBit's five flags and two segments, and that its secrets
 * are known: they are kept beside the tables, for this machine only, since the tables hold no more than their hashes.
 * What an interrupted start has left undone is done here.
 */
export async function seedBenchmark(stack: LocalStack, dataDir: string): Promise<LocalKeys> {
  const tables = { client: createDynamoDb({ endpoint: stack.dynamoDbEndpoint }), flags: stack.tables.flags };
  const store = openStore(tables, systemEffects, async () => ({ by: 'npm start', command: 'the reference data' }));
  try {
    const isNew = !(await store.environments.list()).some(({ id }) => id === BENCHMARK_ENV_ID);
    const issued = isNew ? (await store.environments.create('benchmark', BENCHMARK_ENV_ID)).secrets : [];
    // Documents are never deleted, only archived: an environment without any was never filled.
    const isEmpty = (await store.documents.load(BENCHMARK_ENV_ID)).length === 0;
    if (isEmpty) await store.documents.import(BENCHMARK_ENV_ID, referenceDocuments());
    return await keepKeys(store, dataDir, issued);
  } finally {
    store.close();
  }
}

async function keepKeys(store: FlagStore, dataDir: string, issued: readonly IssuedSecret[]): Promise<LocalKeys> {
  const path = join(dataDir, 'keys.json');
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
  const works = async (secret: string | undefined) => {
    const grant = secret && (await store.secrets.lookUp(secret));
    return grant && grant.revokedAt === undefined;
  };
  return {
    ...((await works(kept.client)) ? { client: kept.client as string } : {}),
    ...((await works(kept.server)) ? { server: kept.server as string } : {}),
  };
}
