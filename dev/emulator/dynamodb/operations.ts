import { exceptionName, isAwsError } from '../endpoint/awsError.ts';
import type { Database } from './database.ts';
import { dynaliteOperation } from './dynaliteInternals.ts';
import { dynamoDbError } from './errors.ts';
import { extendedOperation, type Operation, parseInput, returnOnFailure } from './input.ts';
import { openStage } from './stage.ts';
import { tableOperations } from './tables.ts';
import { transactions } from './transactions.ts';
import { ttlOperations } from './ttl.ts';

/** Operations of dynalite without a change: they write no item. */
const READS = ['BatchGetItem', 'DescribeTable', 'GetItem', 'ListTables', 'Query', 'Scan'];

/** Operations of dynalite with an atomic commit and the change log. */
const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'];

/** Every API operation of the emulator, by name. */
export function allOperations(database: Database): Record<string, Operation> {
  return {
    ...Object.fromEntries(READS.map((name) => [name, passThrough(name, database)])),
    ...Object.fromEntries(WRITES.map((name) => [name, writeOf(name, database)])),
    ...tableOperations(database),
    ...transactions(database),
    ...ttlOperations(database),
  };
}

function passThrough(name: string, { store }: Database): Operation {
  const operation = dynaliteOperation(name);
  return async (body) => openStage(store).run(operation, parseInput(operation, body, store));
}

function writeOf(name: string, database: Database): Operation {
  const operation = extendedOperation(name, name === 'BatchWriteItem' ? {} : returnOnFailure);
  return async (body) => {
    const input = parseInput(operation, body, database.store);
    const stage = openStage(database.store);
    const output = await stage.run(operation, input).catch((error: unknown) => {
      const wanted = input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD' && stage.found !== undefined;
      if (!wanted || !isAwsError(error) || exceptionName(error) !== 'ConditionalCheckFailedException') throw error;
      throw dynamoDbError('ConditionalCheckFailedException', error.message, { Item: stage.found });
    });
    await database.commit([stage]);
    return output;
  };
}
