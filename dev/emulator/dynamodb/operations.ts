import type { Database } from './database.ts';
import { dynaliteOperation } from './dynaliteInternals.ts';
import { type Operation, parseInput } from './input.ts';
import { itemWrites } from './itemWrites.ts';
import { openStage } from './stage.ts';
import { tableOperations } from './tables.ts';
import { transactions } from './transactions.ts';
import { ttlOperations } from './ttl.ts';

/** Operations that dynalite answers as they are: they write no item. */
const untouched = ['BatchGetItem', 'DescribeTable', 'GetItem', 'ListTables', 'Query', 'Scan'];

/** Every API operation on offer, by name. */
export function allOperations(database: Database): Record<string, Operation> {
  return {
    ...Object.fromEntries(untouched.map((name) => [name, passThrough(name, database)])),
    ...itemWrites(database),
    ...tableOperations(database),
    ...transactions(database),
    ...ttlOperations(database),
  };
}

function passThrough(name: string, { store }: Database): Operation {
  const operation = dynaliteOperation(name);
  return async (body) => openStage(store).run(operation, parseInput(operation, body, store));
}
