import type { PartitionUnits } from '../awsProfiles.ts';
import type { Clock } from '../clock.ts';
import type { AccessRequest } from '../iam/evaluate.ts';
import type { Log } from '../log.ts';
import { engine, type Item } from './dynaliteInternals.ts';
import { dynamoDbError } from './errors.ts';
import type { Operation } from './input.ts';

/** What a request takes of one partition key. */
interface Claim {
  readonly table: string;
  readonly partition: string;
  readonly kind: 'read' | 'write';
}

const READS = new Set(['BatchGetItem', 'GetItem', 'Query', 'ConditionCheckItem']);
const WRITES = new Set(['BatchWriteItem', 'DeleteItem', 'PutItem', 'UpdateItem']);

/** DynamoDB's words for a table on demand with a hot key. */
const TEXT =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so ' +
  'please try again shortly. If exceptions persist, check if you have a hot key: ' +
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html';

/**
 * Makes operations refuse what a partition key cannot serve. Each key has the units of a second in store, and a request may
 * take more than is left: what it took is known when it is answered. Every key counts as a partition of its own, and
 * transactions take twice the units, as on AWS.
 *
 * @param requestsFor what an operation is about, as IAM is asked for it
 * @param log gets a line for each refusal
 */
export function throttlePartitions(
  units: PartitionUnits,
  clock: Clock,
  requestsFor: (operation: string, input: Record<string, unknown>) => AccessRequest[] | undefined,
  log: Log,
): (name: string, operation: Operation) => Operation {
  const stores = new Map<string, { left: number; at: number }>();

  function storeOf({ table, partition, kind }: Claim): { left: number; at: number } {
    const key = `${kind} ${table} ${partition}`;
    const now = clock.now();
    const { left, at } = stores.get(key) ?? { left: units[kind], at: now };
    const store = { left: Math.min(units[kind], left + (Math.max(0, now - at) * units[kind]) / 1000), at: now };
    stores.set(key, store);
    return store;
  }

  return (name, operation) => async (body) => {
    const input = body as Record<string, unknown>;
    const claims = (requestsFor(name, input) ?? []).flatMap(claimsOf);
    const refused = claims.map((claim) => storeOf(claim).left <= 0);
    if (refused.includes(true)) {
      const busy = claims.filter((_, index) => refused[index]).map(({ partition }) => partition);
      log(`dynamodb ${name} throttled: ${busy.join(', ')}`);
      throw refusal(name, claims, refused);
    }
    if (!name.startsWith('Transact')) {
      const { output, units: taken } = await measured(operation, input);
      for (const claim of claims) storeOf(claim).left -= taken / claims.length;
      return output;
    }
    const output = (await operation(input)) as Record<string, unknown>;
    for (const claim of claims) storeOf(claim).left -= transactionUnits(input, output) / claims.length;
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

function refusal(name: string, claims: readonly Claim[], refused: readonly boolean[]): Error {
  if (name.startsWith('Transact')) {
    const CancellationReasons = refused.map((is) =>
      is ? { Code: 'ThrottlingError', Message: TEXT } : { Code: 'None' },
    );
    const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
    const text = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
    return dynamoDbError('TransactionCanceledException', text, { CancellationReasons });
  }
  const ThrottlingReasons = claims
    .filter((_, index) => refused[index])
    .map(({ table, kind }) => ({
      reason: `Table${kind === 'read' ? 'Read' : 'Write'}KeyRangeThroughputExceeded`,
      resource: table,
    }));
  return dynamoDbError('ThrottlingException', TEXT, { ThrottlingReasons });
}

function capacityUnits(consumed: unknown): number {
  const each = [consumed ?? []].flat() as { readonly CapacityUnits?: number }[];
  return each.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
}

function transactionUnits(input: Record<string, unknown>, answer: Record<string, unknown>): number {
  const units = (items: readonly (Item | undefined)[], bytes: number) =>
    items.reduce((sum, item) => sum + 2 * Math.max(1, Math.ceil((item ? engine.itemSize(item) : 0) / bytes)), 0);
  if (answer['Responses'])
    return units(
      (answer['Responses'] as { Item?: Item }[]).map(({ Item }) => Item),
      4096,
    );
  return units(
    (input['TransactItems'] as { Put?: { Item: Item } }[]).map(({ Put }) => Put?.Item),
    1024,
  );
}
