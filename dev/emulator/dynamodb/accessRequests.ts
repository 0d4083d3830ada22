import type { AccessRequest } from '../iam/evaluate.ts';
import { arn } from '../template/account.ts';
import type { DynaliteStore, Item } from './dynaliteInternals.ts';
import { readTable } from './stage.ts';

/** A request's parameters, as far as IAM sees them. Nothing of it is checked yet. */
interface Parameters {
  readonly TableName?: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly Select?: string;
  readonly ProjectionExpression?: string;
  readonly AttributesToGet?: readonly string[];
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Item;
  readonly TransactItems?: readonly Readonly<Record<string, Parameters>>[];
  readonly [expression: string]: unknown;
}

const TRANSACTION_ACTIONS: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

const ON_TABLES = new Set(['CreateTable', 'DescribeTable', 'DescribeTimeToLive', 'UpdateTimeToLive']);
const ON_ITEMS = new Set(['DeleteItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem']);

/**
 * The IAM requests of a DynamoDB request. A transaction has one for each item, with the action of the item. Batches have none:
 * no role uses them.
 *
 * @returns undefined when it is not known
 * @see Amazon DynamoDB Developer Guide, "Using IAM policy conditions for fine-grained access control" and "Using IAM with
 *   DynamoDB transactions"
 */
export function dynamoDbRequests(
  operation: string,
  input: Parameters,
  store: DynaliteStore,
): AccessRequest[] | undefined {
  const action = `dynamodb:${operation}`;
  if (operation === 'ListTables') return [{ action, resource: '*' }];
  if (ON_TABLES.has(operation)) return [{ action, resource: resourceOf(input) }];
  if (ON_ITEMS.has(operation)) return [itemRequest(operation, input, store)];
  if (operation !== 'TransactWriteItems') return undefined;
  return (input.TransactItems ?? []).flatMap((actions) =>
    Object.entries(actions).map(([kind, parameters]) =>
      itemRequest(TRANSACTION_ACTIONS[kind] ?? kind, parameters, store),
    ),
  );
}

function resourceOf({ TableName }: Parameters): string {
  return arn('dynamodb', `table/${TableName}`);
}

function itemRequest(operation: string, input: Parameters, store: DynaliteStore): AccessRequest {
  const { ProjectionExpression, Select } = input;
  const reads = operation === 'Query' || operation === 'Scan';
  const projected = ProjectionExpression === undefined ? 'ALL_ATTRIBUTES' : 'SPECIFIC_ATTRIBUTES';
  const hashKey = readTable(store, input.TableName ?? '')?.KeySchema.find(({ KeyType }) => KeyType === 'HASH');
  const partition = partitionOf(input, hashKey?.AttributeName);
  return {
    action: `dynamodb:${operation}`,
    resource: resourceOf(input),
    context: {
      // Without a key that can be told, a policy that holds a caller to some keys must not pass.
      ...(operation !== 'Scan' && { 'dynamodb:LeadingKeys': [partition ?? ''] }),
      'dynamodb:Attributes': [...attributesOf(input)],
      ...(reads && { 'dynamodb:Select': [Select ?? projected] }),
    },
  };
}

/** The value of the partition key that a request is about, as text. */
function partitionOf(input: Parameters, hashKey: string | undefined): string | undefined {
  if (hashKey === undefined) return undefined;
  const value = (input.Key ?? input.Item)?.[hashKey] ?? queriedValue(input, hashKey);
  return value && String(Object.values(value)[0]);
}

function queriedValue(input: Parameters, hashKey: string): Item[string] | undefined {
  const { KeyConditionExpression = '', ExpressionAttributeNames: names = {} } = input;
  for (const [, name = '', value = ''] of KeyConditionExpression.matchAll(/(#?\w+)\s*=\s*(:\w+)/g)) {
    if ((names[name] ?? name) === hashKey) return input.ExpressionAttributeValues?.[value];
  }
  return undefined;
}

const EXPRESSIONS = [
  'ConditionExpression',
  'FilterExpression',
  'KeyConditionExpression',
  'ProjectionExpression',
  'UpdateExpression',
];
const WORDS =
  /^(SET|REMOVE|ADD|DELETE|AND|OR|NOT|BETWEEN|IN|attribute_(not_)?exists|attribute_type|begins_with|contains|size|if_not_exists|list_append)$/i;

/** The attributes at the top of an item that a request names, keys included. */
function attributesOf(input: Parameters): Set<string> {
  const { ExpressionAttributeNames: names = {}, AttributesToGet = [] } = input;
  const found = new Set([...Object.keys(input.Key ?? {}), ...Object.keys(input.Item ?? {}), ...AttributesToGet]);
  for (const expression of EXPRESSIONS) {
    // Values begin with a colon, what lies within an attribute with a dot.
    for (const [word] of String(input[expression] ?? '').matchAll(/(?<![.:\w#])#?[A-Za-z_]\w*/g)) {
      if (!WORDS.test(word)) found.add(names[word] ?? word);
    }
  }
  return found;
}
