import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { findNamed } from '../../flags/findNamed.ts';
import { EMPTY_GUID, isGuid } from '../../protocol/guid.ts';
import type { SecretType } from '../../protocol/secret.ts';
import { DEFAULT_HISTORY_DAYS } from '../documents/historyEntry.ts';
import { initialVersion, moveVersion } from '../documents/version.ts';
import { type Item, numberIn, textIn } from '../table/attributes.ts';
import { acknowledgeLate } from '../table/commitWait.ts';
import { Conflict, NotFound, StoreError } from '../table/errors.ts';
import { keys } from '../table/keys.ts';
import { readItem, readItems } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import { putAfter, retryWhenCancelled, sendTransaction } from '../table/transaction.ts';
import { type Environment, putEnvironment, putInList } from './environment.ts';
import { removeEnvironment } from './removal.ts';
import { type IssuedSecret, issueSecret, type SecretRecord, toSecretItem } from './secrets.ts';

/** What an environment starts with, as in FeatBit. */
const FIRST_SECRETS: readonly [string, SecretType][] = [
  ['Server Key', 'server'],
  ['Client Key', 'client'],
];

/** The most days that changes are kept. */
const MOST_DAYS = 3_650;

/** What can be changed of an environment; what is left out stays. */
export type EnvironmentChange = Partial<Pick<Environment, 'name' | 'isProduction' | 'requiresReason' | 'historyDays'>>;

/** The environments of a table. */
export class Environments extends TableAccess {
  /**
   * Creates an empty environment, by default with one server and one client secret.
   *
   * @param guid its id; secrets hold it, so it cannot be changed
   * @param first labels and types of its first secrets
   * @returns the environment and its secrets: the only time that these can be seen
   * @throws {StoreError} when the id or the name will not do
   * @throws {Conflict} when there is an environment with this id or name already
   */
  async create(
    name: string,
    guid: string = this.table.effects.uuid(),
    first = FIRST_SECRETS,
  ): Promise<{ environment: Environment; secrets: IssuedSecret[] }> {
    const { effects } = this.table;
    const id = guid.toLowerCase();
    if (!isGuid(id) || id === EMPTY_GUID) {
      throw new StoreError(`an environment's id must be a GUID other than zero, but is "${guid}"`);
    }
    requireName(name);
    return retryWhenCancelled(effects, async () => {
      const naming = await this.#claim((other) => other.id === id || other.name === name);

      const secrets = first.map(([label, type]) => issueSecret(effects, id, label, type));
      const environment: Environment = {
        id,
        name,
        createdAt: new Date(effects.now()).toISOString(),
        secrets: secrets.map(({ record }) => record),
        historyDays: DEFAULT_HISTORY_DAYS,
        isProduction: false,
        requiresReason: false,
        revision: 1,
      };
      await sendTransaction(this.table, [
        putEnvironment(this.table, environment, 0),
        putInList(this.table, environment),
        naming,
        ...secrets.map(({ record }) => ({ Put: { TableName: this.table.name, Item: toSecretItem(id, record) } })),
        ...moveVersion(this.table, id, undefined, await initialVersion(this.table, id)),
      ]);
      return { environment, secrets };
    });
  }

  /** All environments, in the order of their ids. */
  async list(): Promise<Pick<Environment, 'id' | 'name' | 'isProduction'>[]> {
    const items = await readItems(this.table, keys.environmentIndex('').pk);
    return items.map((item) => ({
      id: textIn(item, 'sk'),
      name: textIn(item, 'name'),
      isProduction: isProductionIn(item),
    }));
  }

  /** An environment by its id or its name. @throws {NotFound} @throws {InvalidInput} if several have the name */
  async find(idOrName: string): Promise<Environment> {
    const id = isGuid(idOrName)
      ? idOrName.toLowerCase()
      : findNamed(await this.list(), idOrName, [({ name }) => name], 'environments')?.id;
    const item = id && (await readItem(this.table, keys.environment(id)));
    if (!id || !item) throw new NotFound(`there is no environment "${idOrName}"; \`env list\` shows those there are`);
    return {
      id,
      name: textIn(item, 'name'),
      createdAt: textIn(item, 'createdAt'),
      secrets: JSON.parse(item['secrets']?.S ?? '[]') as SecretRecord[],
      historyDays: numberIn(item, 'historyDays') || DEFAULT_HISTORY_DAYS,
      isProduction: isProductionIn(item),
      requiresReason: item['requiresReason']?.BOOL === true,
      revision: numberIn(item, 'revision'),
    };
  }

  /**
   * Changes an environment's name, its mark as production, whether changes need a reason, or for how many days changes are kept from now on; what is in its
   * history stays as long as it was to.
   *
   * @returns it as it is now
   * @throws {StoreError} when the name or the days will not do, {Conflict} when another environment has the name
   */
  async change({ id }: Pick<Environment, 'id'>, change: EnvironmentChange): Promise<Environment> {
    const { name, historyDays } = change;
    if (name !== undefined) requireName(name);
    if (historyDays !== undefined && !(Number.isInteger(historyDays) && historyDays >= 1 && historyDays <= MOST_DAYS)) {
      throw new StoreError(`changes are kept for a whole number of days, from 1 to ${MOST_DAYS}`);
    }
    return retryWhenCancelled(this.table.effects, async () => {
      const isTaken = (other: Pick<Environment, 'id' | 'name'>) => other.name === name && other.id !== id;
      const naming = name === undefined ? [] : [await this.#claim(isTaken)];
      const environment = await this.find(id);
      const changed = { ...environment, ...change, revision: environment.revision + 1 };
      await sendTransaction(this.table, [
        putEnvironment(this.table, changed, environment.revision),
        putInList(this.table, changed),
        ...naming,
      ]);
      return changed;
    });
  }

  /**
   * Checks that no environment has a name or id. The returned write fails if another environment was created or renamed
   * since. It belongs into the transaction that uses the name.
   *
   * @throws {Conflict} if one has it
   */
  async #claim(isTaken: (other: Pick<Environment, 'id' | 'name'>) => boolean): Promise<TransactWriteItem> {
    const key = keys.environmentNames();
    // A query, because a stack that declares environments may not read single items.
    const [item = {}] = await readItems(this.table, key.pk);
    const revision = numberIn(item, 'revision');
    const taken = (await this.list()).find(isTaken);
    if (taken) throw new Conflict(`environment "${taken.name}" with id ${taken.id} already exists`);
    return putAfter(this.table, revision, { ...key, revision: { N: String(revision + 1) } });
  }

  /**
   * Deletes an environment permanently, with everything in it ({@link removeEnvironment}). When it returns, no host answers
   * data-syncs from an earlier read ({@link acknowledgeLate}).
   */
  remove(environment: Environment): Promise<void> {
    return acknowledgeLate(this.table.effects, () => removeEnvironment(this.table, environment));
  }
}

function requireName(name: string): void {
  if (name !== '' && name.trim() === name && !isGuid(name) && !/\p{Cc}/u.test(name)) return;
  throw new StoreError(
    `an environment's name must not be blank, start or end with space, have control characters, or look like an id, but is ${JSON.stringify(name)}`,
  );
}

function isProductionIn(item: Item): boolean {
  return item['isProduction']?.BOOL === true;
}
