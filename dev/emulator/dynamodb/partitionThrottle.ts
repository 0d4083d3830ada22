import type { PartitionUnits } from '../awsProfiles.ts';
import type { Clock } from '../clock.ts';
import type { AccessRequest } from '../iam/evaluate.ts';
import type { Log } from '../log.ts';
import { dynamoDbError } from './errors.ts';
import type { Operation } from './input.ts';

/** A request's use of one partition key. */
interface Claim {
  readonly table: string;
  readonly partition: string;
  readonly kind: 'read' | 'write';
}

const READS = new Set(['GetItem', 'Query']);
const WRITES = new Set(['DeleteItem', 'PutItem', 'UpdateItem']);

/** DynamoDB's message for a hot key of a table on demand. */
const TEXT =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so ' +
  'please try again shortly. If exceptions persist, check if you have a hot key: ' +
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html';

/**
 * Capacity units by key. A key has the units of a second at most, and a request may take more than is left: its units are known
 * only afterwards.
 *
 * @returns a function that reads the units of a key now
 */
export function unitStores(clock: Clock): (key: string, perSecond: number) => { left: number } {
  const stores = new Map<string, { left: number; at: number }>();
  return (key, perSecond) => {
    const now = clock.now();
    const { left, at } = stores.get(key) ?? { left: perSecond, at: now };
    const store = { left: Math.min(perSecond, left + (Math.max(0, now - at) * perSecond) / 1_000), at: now };
    stores.set(key, store);
    return store;
  };
}

/**
 * Makes operations fail above the units of a partition key. Every key counts as a partition of its own. Batches and
 * transactions have no limit here.
 *
 * @param requestsFor the IAM requests of an operation, which name its keys
 * @param log gets a line for each refusal
 */
export function throttlePartitions(
  units: PartitionUnits,
  clock: Clock,
  requestsFor: (operation: string, input: Record<string, unknown>) => AccessRequest[] | undefined,
  log: Log,
): (name: string, operation: Operation) => Operation {
  const readStore = unitStores(clock);
  const storeOf = ({ table, partition, kind }: Claim) => readStore(`${kind} ${table} ${partition}`, units[kind]);

  return (name, operation) => async (body) => {
    if (name.startsWith('Transact')) return operation(body);
    const input = body as Record<string, unknown>;
    const claims = (requestsFor(name, input) ?? []).flatMap(claimsOf);
    const busy = claims.filter((claim) => storeOf(claim).left <= 0);
    if (busy.length > 0) {
      log(`dynamodb ${name} throttled: ${busy.map(({ partition }) => partition).join(', ')}`);
      const ThrottlingReasons = busy.map(({ table, kind }) => ({
        reason: `Table${kind === 'read' ? 'Read' : 'Write'}KeyRangeThroughputExceeded`,
        resource: table,
      }));
      throw dynamoDbError('ThrottlingException', TEXT, { ThrottlingReasons });
    }
    const { output, units: taken } = await measured(operation, input);
    for (const claim of claims) storeOf(claim).left -= taken / claims.length;
    return output;
  };
}

/** Runs an operation. @returns its output, and the units that it took */
export async function measured(
  operation: Operation,
  input: Record<string, unknown>,
): Promise<{ output: Record<string, unknown>; units: number }> {
  const asked = input['ReturnConsumedCapacity'];
  const { ConsumedCapacity, ...output } = (await operation({ ...input, ReturnConsumedCapacity: 'TOTAL' })) as Record<
    string,
    unknown
  >;
  const isAsked = asked !== undefined && asked !== 'NONE';
  return { output: isAsked ? { ...output, ConsumedCapacity } : output, units: capacityUnits(ConsumedCapacity) };
}

function claimsOf({ action, resource, context = {} }: AccessRequest): Claim[] {
  const operation = action.split(':')[1] ?? '';
  const kind = READS.has(operation) ? 'read' : WRITES.has(operation) ? 'write' : undefined;
  if (!kind) return [];
  return (context['dynamodb:LeadingKeys'] ?? []).map((partition) => ({ table: resource, partition, kind }));
}

function capacityUnits(consumed: unknown): number {
  const each = [consumed ?? []].flat() as { readonly CapacityUnits?: number }[];
  return each.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}
