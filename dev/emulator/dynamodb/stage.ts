import {
  type BatchOperation,
  type Callback,
  type DynaliteOperation,
  type DynaliteStore,
  type Input,
  type Item,
  keyPrefix,
  type SubDb,
  type Table,
} from './dynaliteInternals.ts';
import { dynamoDbError } from './errors.ts';

/** The change of one item. An absent `before` is an insert, and an absent `after` is a removal. */
export interface Change {
  table: Table;
  before: Item | undefined;
  after: Item | undefined;
}

/**
 * One run of a dynalite operation whose writes are held back: it reads the store and collects what it would write. Nothing is stored until `commit` writes all of it, of one or of many stages, as one atomic batch.
 */
export type Stage = ReturnType<typeof openStage>;

/** Opens an empty stage over a store. */
export function openStage(store: DynaliteStore) {
  const stage = {
    operations: [] as BatchOperation[],
    changes: [] as Change[],
    /** The item of the last read: for an operation on one item, the stored item. */
    found: undefined as Item | undefined,
    /**
     * Runs an operation against this stage. Reads are synchronous, so that what dynalite's code throws lands in this promise and
     * not in the process.
     */
    run: (operation: DynaliteOperation, input: Input): Promise<object> =>
      new Promise((resolve, reject) => {
        operation.action(staged, input, (error, output) => (error ? reject(error) : resolve(output ?? {})));
      }),
  };
  const staged: DynaliteStore = {
    ...store,
    tableDb: { ...store.tableDb, ...stagedDb(store, store.tableDb, keyPrefix.tables, stage) },
    getItemDb: (table) => stagedItems(store, table, stage),
    getTable: (name, checkStatus, callback) => {
      const answer = typeof checkStatus === 'function' ? checkStatus : (callback as Callback<Table>);
      const table = readTable(store, name);
      return table === undefined ? answer(tableNotFound(name, checkStatus !== false)) : answer(null, table);
    },
  };
  return stage;
}

/** A table's record, or undefined when there is no such table. */
export function readTable(store: DynaliteStore, name: string): Table | undefined {
  return store.db.getSync(keyPrefix.tables + name) as Table | undefined;
}

/** The error for a table that does not exist, as operations on items say it (`short`) or those on tables. */
export function tableNotFound(name: string, short: boolean): Error {
  const suffix = short ? '' : `: Table: ${name} not found`;
  // Some of dynalite's actions tell this error from others by its name.
  return Object.assign(dynamoDbError('ResourceNotFoundException', `Requested resource not found${suffix}`), {
    name: 'NotFoundError',
  });
}

function stagedDb(store: DynaliteStore, subDb: SubDb, prefix: string, stage: Stage): SubDb {
  return {
    ...subDb,
    // Requests run one at a time, so that dynalite's own locks have nothing left to guard.
    lock: (_key, exclusive) => exclusive((callback) => callback),
    get: (key, callback) => callback(null, store.db.getSync(prefix + key)),
    put: (key, value, callback) => {
      stage.operations.push({ type: 'put', key: prefix + key, value });
      callback();
    },
    del: (key, callback) => {
      stage.operations.push({ type: 'del', key: prefix + key });
      callback();
    },
  };
}

function stagedItems(store: DynaliteStore, name: string, stage: Stage): SubDb {
  const subDb = stagedDb(store, store.getItemDb(name), keyPrefix.items(name), stage);
  const before = new Map<string, Item>();
  const change = (key: string, after: Item | undefined) => {
    stage.changes.push({ table: readTable(store, name) as Table, before: before.get(key), after });
  };
  return {
    ...subDb,
    get: (key, callback) => {
      stage.found = store.db.getSync(keyPrefix.items(name) + key) as Item | undefined;
      if (stage.found !== undefined) before.set(key, stage.found);
      callback(null, stage.found);
    },
    put: (key, value, callback) => {
      change(key, value as Item);
      subDb.put(key, value, callback);
    },
    del: (key, callback) => {
      change(key, undefined);
      subDb.del(key, callback);
    },
  };
}
