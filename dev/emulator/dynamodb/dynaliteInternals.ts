import { createRequire } from 'node:module';
import type { AttributeValue } from 'aws-lambda';
import { type ConditionParser, cacheConditions } from './conditionCache.ts';

/** An item or a key in DynamoDB's own JSON: attribute name → typed value, binaries in base64. */
export type Item = Record<string, AttributeValue>;

/** The images of a change in a stream. */
export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';

/** A table's record as dynalite stores it; the stream fields and the throughput are ours. */
export interface Table {
  TableName: string;
  TableStatus: string;
  KeySchema: { AttributeName: string; KeyType: string }[];
  StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: StreamViewType };
  LatestStreamArn?: string;
  LatestStreamLabel?: string;
  OnDemandThroughput?: { MaxReadRequestUnits?: number; MaxWriteRequestUnits?: number };
}

/** Node's callback: an error, or a value. */
export type Callback<T = unknown> = (error?: unknown, value?: T) => void;

/** One change inside an atomic batch of the key-value store. */
export type BatchOperation = { type: 'put'; key: string; value: unknown } | { type: 'del'; key: string };

/** Bounds of a walk over keys, in key order. */
interface KeyRange {
  gt?: string;
  gte?: string;
  lt?: string;
  lte?: string;
  limit?: number;
}

/** The key-value store under dynalite (LevelDB on disk or in memory), the part used here. Values are JSON. */
export interface KeyValueStore {
  open(): Promise<void>;
  close(): Promise<void>;
  getSync(key: string): unknown;
  put(key: string, value: unknown): Promise<void>;
  batch(operations: BatchOperation[]): Promise<void>;
  keys(range: KeyRange): AsyncIterable<string> & { all(): Promise<string[]> };
  values(range: KeyRange): AsyncIterable<unknown> & { all(): Promise<unknown[]> };
  clear(range: KeyRange): Promise<void>;
}

/** A named part of the store (the tables, or one table's items) as dynalite's actions see it. */
export interface SubDb {
  lock(key: string, exclusive: (release: (callback: Callback) => Callback) => void): void;
  get(key: string, callback: Callback): void;
  put(key: string, value: unknown, callback: Callback): void;
  del(key: string, callback: Callback): void;
}

/** dynalite's store: the first argument of each of its actions. */
export interface DynaliteStore {
  db: KeyValueStore;
  tableDb: SubDb & { awsRegion: string; awsAccountId: string };
  getItemDb(table: string): SubDb;
  getTable(table: string, checkStatus: boolean | Callback<Table>, callback?: Callback<Table>): void;
}

/** Request parameters after validation; dynalite adds parsed expressions under names that begin with `_`. */
export type Input = Record<string, unknown>;

/** One operation of dynalite: what it accepts and what it does. */
export interface DynaliteOperation {
  types: Record<string, unknown>;
  custom: ((input: Input, store: DynaliteStore) => string | undefined) | undefined;
  action: (store: DynaliteStore, input: Input, callback: Callback<object>) => void;
}

interface Engine {
  create(options: object): DynaliteStore;
  createKey(keyOrItem: Item, table: Table): string;
  validateKey(key: Item, table: Table): Error | null | undefined;
  validateItem(item: Item, table: Table): Error | null | undefined;
  checkConditional(input: Input, found: Item | undefined): Error | null | undefined;
  itemSize(item: Item): number;
}

interface Validations {
  checkTypes(input: object, types: object): Input;
  checkValidations(input: Input, types: object, custom: DynaliteOperation['custom'], store: DynaliteStore): void;
  toLowerFirst(name: string): string;
}

// dynalite has no typings and no public way in but its own HTTP server, which ends the process on an internal error.
// Its version is pinned, and everything that leans on its internals is named in this file.
const load = createRequire(import.meta.url);
cacheConditions(load('dynalite/db/conditionParser') as ConditionParser);

/** dynalite's engine: keys, conditions, sizes. Its functions return an error instead of throwing it. */
export const engine = load('dynalite/db') as Engine;

/** dynalite's request validation. It throws errors that carry `statusCode` and `body`. */
export const validations = load('dynalite/validations') as Validations;

/** Loads one of dynalite's operations by its API name, such as `PutItem`. */
export function dynaliteOperation(name: string): DynaliteOperation {
  const file = validations.toLowerFirst(name);
  const { types, custom } = load(`dynalite/validations/${file}`) as Omit<DynaliteOperation, 'action'>;
  return { types, custom, action: load(`dynalite/actions/${file}`) as DynaliteOperation['action'] };
}

/** Key prefixes of dynalite's parts. */
export const keyPrefix = {
  tables: 'table~',
  items: (table: string): string => `item-${table}~`,
};

/** The range of all keys with a prefix. Keys here are ASCII, so that one byte above it ends the range. */
export function prefixRange(prefix: string): { gte: string; lt: string } {
  return { gte: prefix, lt: `${prefix}\xff` };
}

/** The primary key of an item. */
export function primaryKey(item: Item, table: Table): Item {
  return Object.fromEntries(table.KeySchema.map(({ AttributeName: name }) => [name, item[name] as AttributeValue]));
}
