import { GetItemCommand, paginateQuery, type TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { EMPTY_GUID, isGuid } from '../protocol/guid.ts';
import type { SecretType } from '../protocol/secret.ts';
import type { Effects } from './effects.ts';
import { Conflict, NotFound, StoreError } from './errors.ts';
import { keys } from './keys.ts';
import { type IssuedSecret, issueSecret, type SecretRecord, toSecretItem } from './secrets.ts';
import type { Tables } from './table.ts';
import { retryWhenCancelled, sendTransaction } from './transaction.ts';
import { moveVersion } from './version.ts';

/** An environment: flags, segments and the secrets that open it. */
export interface Environment {
  /** A GUID in lower case, as secrets hold it. */
  readonly id: string;
  readonly name: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly secrets: readonly SecretRecord[];
  /** Counts changes of this record, so that two operators do not overwrite each other. */
  readonly revision: number;
}

/** What an environment starts with, as in FeatBit. */
const FIRST_SECRETS: readonly [string, SecretType][] = [
  ['Server Key', 'server'],
  ['Client Key', 'client'],
];

/**
 * Creates an empty environment with one server and one client secret.
 *
 * @param guid its id; secrets hold it, so it cannot be changed
 * @returns the environment and its secrets: the only time that these can be seen
 * @throws {StoreError} when the id or the name will not do
 * @throws {Conflict} when there is an environment with this id or name already
 */
export async function createEnvironment(
  tables: Tables,
  effects: Effects,
  name: string,
  guid: string = effects.uuid(),
): Promise<{ environment: Environment; secrets: IssuedSecret[] }> {
  const id = guid.toLowerCase();
  if (!isGuid(id) || id === EMPTY_GUID) {
    throw new StoreError(`an environment's id must be a GUID other than zero, but is "${guid}"`);
  }
  if (name.trim() === '' || isGuid(name)) {
    throw new StoreError(`an environment's name must not be blank or look like an id, but is "${name}"`);
  }
  return retryWhenCancelled(effects, async () => {
    const taken = (await listEnvironments(tables)).find((other) => other.id === id || other.name === name);
    if (taken) throw new Conflict(`there is an environment "${taken.name}" with id ${taken.id} already`);

    const secrets = FIRST_SECRETS.map(([label, type]) => issueSecret(effects, id, label, type));
    const environment: Environment = {
      id,
      name,
      createdAt: new Date(effects.now()).toISOString(),
      secrets: secrets.map(({ record }) => record),
      revision: 1,
    };
    await sendTransaction(tables, [
      putEnvironment(tables, environment, 0),
      put(tables, { ...keys.environmentIndex(id), name: { S: name } }),
      ...secrets.map((secret) => put(tables, toSecretItem(id, secret.record))),
      ...moveVersion(tables, id, undefined, {
        updatedAt: 0,
        previous: 0,
        writtenAt: effects.now(),
        isUnfinished: false,
      }),
    ]);
    return { environment, secrets };
  });
}

/** All environments' ids and names, in the order of their ids. */
export async function listEnvironments(tables: Tables): Promise<{ id: string; name: string }[]> {
  const environments: { id: string; name: string }[] = [];
  const pages = paginateQuery(
    { client: tables.client },
    {
      TableName: tables.flags,
      KeyConditionExpression: 'pk = :index',
      ExpressionAttributeValues: { ':index': keys.environmentIndex('').pk },
      ConsistentRead: true,
    },
  );
  for await (const page of pages) {
    for (const item of page.Items ?? []) environments.push({ id: item['sk']?.S ?? '', name: item['name']?.S ?? '' });
  }
  return environments;
}

/** An environment by its id or its name. @throws {NotFound} */
export async function findEnvironment(tables: Tables, idOrName: string): Promise<Environment> {
  const id = isGuid(idOrName)
    ? idOrName.toLowerCase()
    : (await listEnvironments(tables)).find(({ name }) => name === idOrName)?.id;
  const { Item } = id
    ? await tables.client.send(
        new GetItemCommand({ TableName: tables.flags, Key: keys.environment(id), ConsistentRead: true }),
      )
    : {};
  if (!id || !Item) throw new NotFound(`there is no environment "${idOrName}"; \`env list\` shows those there are`);
  return {
    id,
    name: Item['name']?.S ?? '',
    createdAt: Item['createdAt']?.S ?? '',
    secrets: JSON.parse(Item['secrets']?.S ?? '[]') as SecretRecord[],
    revision: Number(Item['revision']?.N ?? 0),
  };
}

/** The write of an environment's record, failing when somebody changed it since `revision` (0: it must be new). */
export function putEnvironment(tables: Tables, environment: Environment, revision: number): TransactWriteItem {
  return {
    Put: {
      TableName: tables.flags,
      Item: {
        ...keys.environment(environment.id),
        name: { S: environment.name },
        createdAt: { S: environment.createdAt },
        secrets: { S: JSON.stringify(environment.secrets) },
        revision: { N: String(environment.revision) },
      },
      ...(revision === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : {
            ConditionExpression: 'revision = :revision',
            ExpressionAttributeValues: { ':revision': { N: String(revision) } },
          }),
    },
  };
}

function put(tables: Tables, Item: NonNullable<TransactWriteItem['Put']>['Item']): TransactWriteItem {
  return { Put: { TableName: tables.flags, Item } };
}
