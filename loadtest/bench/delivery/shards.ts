import { randomBytes } from 'node:crypto';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { LocalStack } from '../../../infra/emulator/emulator.ts';
import { type User, userDocument } from '../../../shared/flags/user.ts';
import type { Change } from '../../../shared/store/change.ts';
import { keyOfConnection, SHARDS, shardOf } from '../../../shared/store/connection.ts';
import type { StoredDocument } from '../../../shared/store/item.ts';
import { openStore, type Store } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { until } from '../../../shared/testing/until.ts';

/** Rows that one request writes, and requests at the same time. */
const BATCH = 25;
const WRITERS = 8;

/** One environment whose connections are to get a change. */
export class Shards {
  /** Connections of each shard. */
  readonly counts = new Array<number>(SHARDS).fill(0);
  readonly #envId: string;
  readonly #client: DynamoDBClient;
  readonly #store: Store;
  readonly #table: string;
  readonly #flag: StoredDocument;
  #version: number;

  private constructor(envId: string, client: DynamoDBClient, store: Store, table: string, flag: StoredDocument) {
    [this.#envId, this.#client, this.#store, this.#table, this.#flag] = [envId, client, store, table, flag];
    this.#version = flag.updatedAt;
  }

  /** Opens an environment once its own changes are delivered, to nobody. */
  static async open({ tables }: LocalStack, envId: string): Promise<Shards> {
    const client = createDynamoDb();
    const store = openStore({ client, ...tables });
    const documents = await store.documents.load(envId);
    const flag = documents.filter(({ kind }) => kind === 'flag').toSorted((a, b) => b.updatedAt - a.updatedAt)[0];
    if (!flag) throw new Error('the benchmark environment has no flag');
    const newest = Math.max(...documents.map(({ updatedAt }) => updatedAt));
    const served = () =>
      Promise.all(
        Array.from({ length: SHARDS }, async (_, n) => (await store.connections.loadShard(envId, n)).servedTo),
      );
    await until(served, (versions) => versions.every((version) => version === newest));
    const shards = new Shards(envId, client, store, tables.connections, flag);
    shards.#version = newest;
    return shards;
  }

  /**
   * Registers client-side SDKs an hour ago, each with a user of its own: the first as the service does, the others as
   * copies of its row.
   */
  async fill(connections: number, onProgress: (written: number) => void): Promise<void> {
    const at = Date.now() - 3_600_000;
    const first = { id: 'first', type: 'client' as const, user: userOf(0), requestedAt: at, registeredAt: at };
    await this.#store.connections.register(this.#envId, first);
    const Key = keyOfConnection(this.#envId, first.id);
    const { Item } = await this.#client.send(new GetItemCommand({ TableName: this.#table, Key }));
    await this.#store.connections.remove(this.#envId, first.id);
    let begun = 0;
    const write = async () => {
      while (begun < connections) {
        const from = begun;
        begun = Math.min(connections, begun + BATCH);
        await this.#write(Array.from({ length: begun - from }, (_, n) => this.#rowOf(Item ?? {}, from + n)));
        onProgress(begun);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
  }

  /** The next change of the environment, for each shard as the body of a message of the push queue. */
  nextChange(): (shard: number) => string {
    const { kind, id, body } = this.#flag;
    const previous = this.#version;
    this.#version = Math.max(Date.now(), previous + 1);
    const change: Change = {
      ...{ kind, id, envId: this.#envId, previous, updatedAt: this.#version, writtenAt: Date.now() },
      body: 'text' in body ? { text: body.text } : { gzipBase64: Buffer.from(body.gzip).toString('base64') },
    };
    return (shard) => JSON.stringify({ shard, changes: [change] });
  }

  #rowOf(row: Record<string, AttributeValue>, n: number): Record<string, AttributeValue> {
    // As API Gateway's are: 15 characters and a sign.
    const id = randomBytes(11).toString('base64');
    const shard = shardOf(id);
    this.counts[shard] = (this.counts[shard] ?? 0) + 1;
    return { ...row, ...keyOfConnection(this.#envId, id), user: { S: JSON.stringify(userDocument(userOf(n))) } };
  }

  async #write(rows: readonly Record<string, AttributeValue>[]): Promise<void> {
    let left = rows.map((Item) => ({ PutRequest: { Item } }));
    while (left.length > 0) {
      const { UnprocessedItems = {} } = await this.#client.send(
        new BatchWriteItemCommand({ RequestItems: { [this.#table]: left } }),
      );
      left = (UnprocessedItems[this.#table] ?? []) as typeof left;
    }
  }
}

function userOf(n: number): User {
  return { keyId: `user-${n}`, name: `User ${n}`, attributes: new Map([['country', n % 2 ? 'FR' : 'DE']]) };
}
