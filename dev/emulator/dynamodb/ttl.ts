import type { Database } from './database.ts';
import type { Item } from './dynaliteInternals.ts';
import { validationError } from './errors.ts';
import { extendedOperation, type Operation, objectOf, parseInput, requiredString } from './input.ts';
import { readTable, tableNotFound } from './stage.ts';

/** DynamoDB leaves items alone whose time is more than five years past: most likely not a time at all. */
const oldestSeconds = 5 * 365 * 24 * 3600;

/** All tables' TTL settings begin with this key; the value is the attribute's name. */
export const ttlPrefix = 'ttl~';

/** The key of a table's TTL attribute. */
function ttlKey(table: string): string {
  return `${ttlPrefix}${table}`;
}

/** Checks whether an item's time, epoch seconds in a number attribute, has passed. `now` is unix ms. */
export function isExpired(item: Item | undefined, attribute: string, now: number): boolean {
  const seconds = Number(item?.[attribute]?.N ?? Number.NaN);
  return seconds <= now / 1000 && seconds > now / 1000 - oldestSeconds;
}

/** UpdateTimeToLive, which only switches it on, and DescribeTimeToLive. A setting holds at once: there is no ENABLING. */
export function ttlOperations(database: Database): Record<string, Operation> {
  const { store } = database;
  const describeTable = extendedOperation('DescribeTable');

  const tableName = (body: unknown): string => {
    const name = parseInput(describeTable, { TableName: objectOf(body)['TableName'] }, store)['TableName'] as string;
    if (readTable(store, name) === undefined) throw tableNotFound(name, false);
    return name;
  };

  return {
    UpdateTimeToLive: async (body) => {
      const specification = objectOf(objectOf(body)['TimeToLiveSpecification']);
      const attribute = requiredString(specification, 'AttributeName');
      const key = ttlKey(tableName(body));
      if (specification['Enabled'] !== true) throw validationError('The emulator does not switch TimeToLive off');
      if (store.db.getSync(key) !== undefined) throw validationError('TimeToLive is already enabled');
      await store.db.batch([{ type: 'put', key, value: attribute }]);
      return { TimeToLiveSpecification: { AttributeName: attribute, Enabled: true } };
    },
    DescribeTimeToLive: async (body) => {
      const attribute = store.db.getSync(ttlKey(tableName(body)));
      return {
        TimeToLiveDescription:
          attribute === undefined
            ? { TimeToLiveStatus: 'DISABLED' }
            : { TimeToLiveStatus: 'ENABLED', AttributeName: attribute },
      };
    },
  };
}
