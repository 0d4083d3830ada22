import { afterAll, beforeAll } from '@jest/globals';
import type { Effects } from '../../runtime/effects.ts';
import type { FlagStore } from '../store.ts';
import { startTestTables, type TestStore, type TestTables } from './testTables.ts';

/** The tables of this test file. */
export let database: TestTables;
/** The store of this test file, on `database`. */
export let store: TestStore;

/** Gives a test file its own tables. */
export function useTables(): void {
  beforeAll(async () => {
    database = await startTestTables();
  });
  afterAll(() => database.close());
}

/** Gives a test file its own tables, and a store on them with these effects. */
export function useStore(effects: Effects): void {
  useTables();
  beforeAll(() => {
    store = database.open(effects);
  });
}

/** @returns the id of a new, empty environment */
export async function newEnvironment({ environments, effects }: FlagStore = store): Promise<string> {
  return (await environments.create(`env ${effects.uuid()}`)).environment.id;
}
