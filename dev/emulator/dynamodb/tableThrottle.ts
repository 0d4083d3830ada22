import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { arn } from '../template/account.ts';
import type { DynaliteStore } from './dynaliteInternals.ts';
import { dynamoDbError } from './errors.ts';
import type { Operation } from './input.ts';
import { readTable } from './stage.ts';

const READS = new Set(['GetItem', 'Query']);
const WRITES = new Set(['DeleteItem', 'PutItem', 'UpdateItem']);

/**
 * Makes reads and writes of single items, and queries, fail above the maximum of their table (`MaxReadRequestUnits`,
 * `MaxWriteRequestUnits`). AWS does not document how many units it keeps for a burst: here the units of a second, and a request may
 * take more than is left, because its units are known only afterwards. Batches and transactions have no maximum here.
 *
 * @param log gets a line for each refusal
 * @see Amazon DynamoDB Developer Guide, "DynamoDB maximum throughput for on-demand tables"
 */
export function throttleTables(
  store: DynaliteStore,
  clock: Clock,
  log: Log,
): (name: string, operation: Operation) => Operation {
  const stores = new Map<string, { left: number; at: number }>();
  const unitsOf = (key: string, perSecond: number) => {
    const now = clock.now();
    const { left, at } = stores.get(key) ?? { left: perSecond, at: now };
    const units = { left: Math.min(perSecond, left + (Math.max(0, now - at) * perSecond) / 1_000), at: now };
    stores.set(key, units);
    return units;
  };

  return (name, operation) => {
    const kind = READS.has(name) ? 'Read' : WRITES.has(name) ? 'Write' : undefined;
    if (kind === undefined) return operation;
    return async (body) => {
      const input = body as Record<string, unknown>;
      const table = String(input['TableName']);
      const maximum = readTable(store, table)?.OnDemandThroughput?.[`Max${kind}RequestUnits`];
      if (maximum === undefined) return operation(input);
      const units = unitsOf(`${kind} ${table}`, maximum);
      if (units.left <= 0) {
        log(`dynamodb ${name} throttled: maximum of table ${table}`);
        const reason = {
          reason: `Table${kind}MaxOnDemandThroughputExceeded`,
          resource: arn('dynamodb', `table/${table}`),
        };
        const text = 'Throughput exceeds the maximum OnDemandThroughput configured on table or index';
        throw dynamoDbError('ThrottlingException', text, { ThrottlingReasons: [reason] });
      }
      const measured = await operation({ ...input, ReturnConsumedCapacity: 'TOTAL' });
      const { ConsumedCapacity, ...output } = measured as { ConsumedCapacity?: { CapacityUnits?: number } };
      units.left -= ConsumedCapacity?.CapacityUnits ?? 0;
      return (input['ReturnConsumedCapacity'] ?? 'NONE') === 'NONE' ? output : measured;
    };
  };
}
