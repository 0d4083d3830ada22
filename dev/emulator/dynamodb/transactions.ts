import { type AwsError, exceptionName, isAwsError } from '../endpoint/awsError.ts';
import type { Database } from './database.ts';
import { engine, type Item } from './dynaliteInternals.ts';
import { dynamoDbError, validationError } from './errors.ts';
import { useToken } from './idempotency.ts';
import { type Operation, objectOf } from './input.ts';
import { openStage, readTable, type Stage, tableNotFound } from './stage.ts';
import { type TransactionAction, writeActions } from './transactionActions.ts';

/** The most bytes of items in one transaction. */
const maxBytes = 4 * 1024 * 1024;

/** Why an action did not go through, or that it was not to blame. */
interface CancellationReason {
  Code: string;
  Message?: string;
  Item?: Item;
}

/**
 * TransactWriteItems. Requests run one at a time, so that a transaction never meets another one half way: the second of two
 * concurrent ones finds what the first has written, and `TransactionConflict` does not occur.
 */
export function transactions(database: Database): Record<string, Operation> {
  return {
    TransactWriteItems: async (body) => {
      const request = objectOf(body);
      const actions = writeActions(request, database.store);
      const token = useToken(database.store.db, request['ClientRequestToken'], request['TransactItems'], Date.now());
      if (token.applied) return {};
      checkTargets(actions, database);
      const stages = await runAll(actions, database);
      checkSize(stages.flatMap((stage) => stage.changes.map((change) => change.after ?? {})));
      await database.commit(stages, { also: token.operations });
      return {};
    },
  };
}

// DynamoDB cancels for a key of the wrong form, but refuses an empty key and a repeated item as invalid requests.
function checkTargets(actions: TransactionAction[], { store }: Database): void {
  const targets = new Set<string>();
  const reasons: CancellationReason[] = [];
  for (const { table: name, keyOrItem, isPut } of actions) {
    const table = readTable(store, name);
    if (table === undefined) throw tableNotFound(name, true);
    const invalid = isPut ? engine.validateItem(keyOrItem, table) : engine.validateKey(keyOrItem, table);
    if (invalid?.message.includes('cannot contain an empty')) throw invalid;
    reasons.push(invalid ? reasonOf(invalid as AwsError) : { Code: 'None' });
    if (!invalid) targets.add(`${name} ${engine.createKey(keyOrItem, table)}`);
  }
  cancelIfAny(reasons);
  if (targets.size < actions.length) {
    throw validationError('Transaction request cannot include multiple operations on one item');
  }
}

async function runAll(actions: TransactionAction[], { store }: Database): Promise<Stage[]> {
  const stages: Stage[] = [];
  const reasons: CancellationReason[] = [];
  for (const { operation, input } of actions) {
    const stage = openStage(store);
    try {
      await stage.run(operation, input);
      reasons.push({ Code: 'None' });
    } catch (error) {
      if (!isAwsError(error)) throw error;
      const showItem = input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD';
      reasons.push(reasonOf(error, showItem ? stage.found : undefined));
    }
    stages.push(stage);
  }
  cancelIfAny(reasons);
  return stages;
}

function reasonOf(error: AwsError, found?: Item): CancellationReason {
  if (exceptionName(error) === 'ConditionalCheckFailedException') {
    return { Code: 'ConditionalCheckFailed', Message: error.message, ...(found && { Item: found }) };
  }
  if (exceptionName(error) === 'ValidationException') return { Code: 'ValidationError', Message: error.message };
  throw error;
}

function cancelIfAny(reasons: CancellationReason[]): void {
  if (reasons.every(({ Code }) => Code === 'None')) return;
  const codes = reasons.map(({ Code }) => Code).join(', ');
  throw dynamoDbError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

function checkSize(items: Item[]): void {
  const bytes = items.reduce((sum, item) => sum + engine.itemSize(item), 0);
  if (bytes > maxBytes) {
    throw validationError(`The items of the transaction have ${bytes} bytes together; at most ${maxBytes} are allowed`);
  }
}
