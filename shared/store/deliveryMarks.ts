import { type AttributeValue, ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type Connection, keyOfConnection, type Registration } from './connection.ts';
import { CUT_OFF, type UNREACHED } from './deliveryState.ts';
import type { Table } from './table.ts';

interface Update {
  readonly set: string;
  readonly values: Readonly<Record<string, number>>;
  readonly condition?: string;
}

interface Updated {
  /** `refused` when the condition did not hold, `replaced` when there is a newer data-sync, or no row any more. */
  readonly outcome: 'done' | 'refused' | 'replaced';
  /** The row as it is, unless it was changed. */
  readonly item?: Readonly<Record<string, AttributeValue>> | undefined;
}

/** What is noted of a connection's delivery; deliveryState.ts says what it means. */
export class DeliveryMarks {
  protected readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  /** Notes that a connection has everything up to a version. A connection that has asked again meanwhile is left alone. */
  async markAnswered(envId: string, registration: Registration, version: number): Promise<void> {
    await this.#update(envId, registration, {
      set: 'SET version = :version REMOVE busyUntil, leftAt, repeatAfter',
      values: { ':version': version },
    });
  }

  /** Notes that a connection is being sent a reply in several messages: pushes keep out of the way until that time. */
  async markBusy(envId: string, registration: Registration, untilMs: number): Promise<void> {
    await this.#update(envId, registration, { set: 'SET busyUntil = :until', values: { ':until': untilMs } });
  }

  /** Notes that a connection could not be sent what comes after a version, so that the next change makes up for it. */
  async markBehind(
    envId: string,
    registration: Registration,
    version: number,
    why: typeof UNREACHED | typeof CUT_OFF = CUT_OFF,
  ): Promise<void> {
    await this.#update(envId, registration, {
      set: 'SET version = :version, busyUntil = :past REMOVE leftAt, repeatAfter',
      values: { ':version': version, ':past': why },
    });
  }

  /**
   * Leaves a version to whoever is sending to a busy connection.
   *
   * @param repeatAfter the version after which that one must send everything again; 0 and more
   * @returns false when nobody is any more
   */
  async leaveToSender(envId: string, connection: Connection, version: number, repeatAfter?: number): Promise<boolean> {
    const isRepeat = repeatAfter !== undefined;
    const { outcome } = await this.#update(envId, connection, {
      // The first one to ask is asking for the most: versions ascend.
      set: `SET leftAt = :version${isRepeat ? ', repeatAfter = if_not_exists(repeatAfter, :repeat)' : ''}`,
      values: { ':version': version, ':until': connection.busyUntil ?? 0, ...(isRepeat && { ':repeat': repeatAfter }) },
      condition: 'busyUntil = :until',
    });
    return outcome === 'done';
  }

  /**
   * Notes that a busy connection has everything up to a version and is to be sent pushes again.
   *
   * @param repeatedAfter the version after which everything was sent again, if that was
   * @returns undefined when it is noted, or no longer matters; else the version after which there is more to send, and this
   *   is to be tried again: a push has left a newer version to the sender meanwhile, or what is to be repeated
   */
  async finishBusy(
    envId: string,
    registration: Registration,
    version: number,
    repeatedAfter = -1,
  ): Promise<number | undefined> {
    const { outcome, item } = await this.#update(envId, registration, {
      set: 'SET version = :version REMOVE busyUntil, leftAt, repeatAfter',
      values: { ':version': version, ':repeated': repeatedAfter },
      condition:
        '(attribute_not_exists(leftAt) OR leftAt <= :version) AND (attribute_not_exists(repeatAfter) OR repeatAfter = :repeated)',
    });
    if (outcome !== 'refused') return undefined;
    const repeatAfter = Number(item?.['repeatAfter']?.N ?? repeatedAfter);
    return repeatAfter === repeatedAfter ? version : Math.min(repeatAfter, version);
  }

  /** Changes a connection's row while it is still as this data-sync registered it. */
  async #update(
    envId: string,
    { id, requestedAt, registeredAt }: Registration,
    { set, values, condition }: Update,
  ): Promise<Updated> {
    const mine = 'requestedAt = :requestedAt AND registeredAt = :registeredAt';
    const numbers = Object.entries({ ...values, ':requestedAt': requestedAt, ':registeredAt': registeredAt });
    try {
      await this.table.client.send(
        new UpdateItemCommand({
          TableName: this.table.name,
          Key: keyOfConnection(envId, id),
          UpdateExpression: set,
          ConditionExpression: condition ? `${mine} AND (${condition})` : mine,
          ExpressionAttributeValues: Object.fromEntries(
            numbers.map(([name, value]): [string, AttributeValue] => [name, { N: String(value) }]),
          ),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return { outcome: 'done' };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const isMine =
        Number(error.Item?.['requestedAt']?.N) === requestedAt &&
        Number(error.Item?.['registeredAt']?.N) === registeredAt;
      return { outcome: isMine ? 'refused' : 'replaced', item: error.Item };
    }
  }
}
