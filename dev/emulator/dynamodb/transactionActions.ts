import { type DynaliteOperation, type DynaliteStore, engine, type Input, type Item } from './dynaliteInternals.ts';
import { validationError } from './errors.ts';
import { extendedOperation, objectOf, parseInput, requiredString, returnOnFailure } from './input.ts';

/** The most actions of one transaction. */
const maxActions = 100;

/** One action of a transaction: a dynalite operation, its checked parameters, and the item it is about. */
export type TransactionAction = ReturnType<typeof writeActions>[number];

const deleteItem = extendedOperation('DeleteItem', returnOnFailure);

/** A ConditionCheck is a delete's reading half. */
const conditionCheck: DynaliteOperation = {
  ...deleteItem,
  action: (store, input, callback) => {
    const name = input['TableName'] as string;
    store.getTable(name, true, (error, table) => {
      if (error || table === undefined) return callback(error);
      store.getItemDb(name).get(engine.createKey(input['Key'] as Item, table), (failure, found) => {
        callback(failure ?? engine.checkConditional(input, found as Item | undefined), {});
      });
    });
  },
};

const writes: Record<string, { operation: DynaliteOperation; needs?: string }> = {
  Put: { operation: extendedOperation('PutItem', returnOnFailure) },
  Update: { operation: extendedOperation('UpdateItem', returnOnFailure), needs: 'UpdateExpression' },
  Delete: { operation: deleteItem },
  ConditionCheck: { operation: conditionCheck, needs: 'ConditionExpression' },
};

/**
 * The actions of a TransactWriteItems request, in its order.
 * @throws ValidationException for what is wrong in any state of the tables: number, form, expressions, sizes.
 */
export function writeActions(body: Input, store: DynaliteStore) {
  const items = body['TransactItems'];
  if (!Array.isArray(items) || items.length < 1) throw lengthError('greater than or equal to 1');
  if (items.length > maxActions) throw lengthError(`less than or equal to ${maxActions}`);
  return items.map((item) => {
    const given = Object.entries(objectOf(item)).filter(([, value]) => value !== undefined && value !== null);
    const [[name, parameters] = ['', undefined]] = given;
    const kind = Object.hasOwn(writes, name) ? writes[name] : undefined;
    if (kind === undefined || given.length !== 1) {
      throw validationError('TransactItems can only contain one of Check, Put, Update or Delete');
    }
    if (kind.needs !== undefined) requiredString(objectOf(parameters), kind.needs);
    const input = parseInput(kind.operation, parameters, store);
    return {
      operation: kind.operation,
      input,
      table: input['TableName'] as string,
      /** The primary key; for a Put the whole item. */
      keyOrItem: (input['Item'] ?? input['Key']) as Item,
      isPut: name === 'Put',
    };
  });
}

function lengthError(rule: string): Error {
  const where = "1 validation error detected: Value at 'transactItems' failed to satisfy constraint";
  return validationError(`${where}: Member must have length ${rule}`);
}
