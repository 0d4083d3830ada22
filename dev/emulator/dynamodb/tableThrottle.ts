import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { arn } from '../template/account.ts';
import type { DynaliteStore } from './dynaliteInternals.ts';
import { dynamoDbError } from './errors.ts';
import type { Operation } from './input.ts';
import { measured, unitStores } from './partitionThrottle.ts';
import { readTable } from './stage.ts';

const WRITES = new Set(['DeleteItem', 'PutItem', 'UpdateItem']);

/**
 * Makes writes of single items fail above the maximum of their table (`MaxWriteRequestUnits`). AWS does not document how many units
 * it keeps for a burst: here the units of a second. Batches and transactions have no maximum here.
 *
 * @param log gets a line for each refusal
 * @see Amazon DynamoDB Developer Guide, "DynamoDB maximum throughput for on-demand tables"
 */
export function throttleTables(
  store: DynaliteStore,
  clock: Clock,
  log: Log,
): (name: string, operation: Operation) => Operation {
  const readStore = unitStores(clock);

  return (name, operation) => {
    if (!WRITES.has(name)) return operation;
    return async (body) => {
      const input = body as Record<string, unknown>;
      const table = String(input['TableName']);
      const maximum = readTable(store, table)?.OnDemandThroughput?.MaxWriteRequestUnits;
      if (maximum === undefined) return operation(input);
      const units = readStore(table, maximum);
      if (units.left <= 0) {
        log(`dynamodb ${name} throttled: maximum of table ${table}`);
        const reason = {
          reason: 'TableWriteMaxOnDemandThroughputExceeded',
          resource: arn('dynamodb', `table/${table}`),
        };
        const text = 'Throughput exceeds the maximum OnDemandThroughput configured on table or index';
        throw dynamoDbError('ThrottlingException', text, { ThrottlingReasons: [reason] });
      }
      const { output, units: taken } = await measured(operation, input);
      units.left -= taken;
      return output;
    };
  };
}
