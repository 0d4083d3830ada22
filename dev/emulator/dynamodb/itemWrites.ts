import { exceptionName, isAwsError } from '../endpoint/awsError.ts';
import type { Database } from './database.ts';
import { dynamoDbError } from './errors.ts';
import { extendedOperation, type Operation, parseInput, returnOnFailure } from './input.ts';
import { openStage } from './stage.ts';

/** PutItem, UpdateItem, DeleteItem and BatchWriteItem: dynalite's own, with an atomic commit and the change log. */
export function itemWrites(database: Database): Record<string, Operation> {
  return {
    PutItem: writeOf('PutItem', database),
    UpdateItem: writeOf('UpdateItem', database),
    DeleteItem: writeOf('DeleteItem', database),
    BatchWriteItem: writeOf('BatchWriteItem', database),
  };
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
