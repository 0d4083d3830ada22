import { randomBytes } from 'node:crypto';
import type { LocalStack } from '../../../dev/emulator/emulator.ts';
import type { Change } from '../../../shared/store/change.ts';
import { type Registration, SHARDS, shardOf } from '../../../shared/store/connection.ts';
import type { StoredDocument } from '../../../shared/store/item.ts';
import { openStore, type Store } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { registerMany } from '../../../shared/store/testing/manyConnections.ts';

/** Connections between two words of how far it has come. */
const PORTION = 10_000;

/** One environment whose connections are to get a change. */
export class Shards {
  /** Connections of each shard. */
  readonly counts = new Array<number>(SHARDS).fill(0);
  readonly #stack: LocalStack;
  readonly #envId: string;
  readonly #flag: StoredDocument;
  #version: number;

  private constructor(stack: LocalStack, envId: string, flag: StoredDocument, version: number) {
    [this.#stack, this.#envId, this.#flag, this.#version] = [stack, envId, flag, version];
  }

  /** Opens an environment, to whose shards all of its changes were delivered. */
  static async open(stack: LocalStack, envId: string): Promise<Shards> {
    const { documents, connections }: Store = openStore({ client: createDynamoDb(), ...stack.tables });
    const all = await documents.load(envId);
    const flag = all.find(({ kind }) => kind === 'flag');
    if (!flag) throw new Error('the benchmark environment has no flag');
    const newest = Math.max(...all.map(({ updatedAt }) => updatedAt));
    for (let shard = 0; shard < SHARDS; shard++) await connections.shards.markServed(envId, shard, newest);
    return new Shards(stack, envId, flag, newest);
  }

  /** Registers client-side SDKs an hour ago, each with a user of its own. */
  async fill(count: number, onProgress: (registered: number) => void): Promise<void> {
    const table = { client: createDynamoDb(), connections: this.#stack.tables.connections };
    for (let from = 0; from < count; from += PORTION) {
      const length = Math.min(PORTION, count - from);
      const [first, ...others] = Array.from({ length }, (_, n) => registrationOf(from + n));
      if (!first) return;
      await registerMany(table, this.#envId, [first, ...others]);
      for (const { id } of [first, ...others]) this.counts[shardOf(id)] = (this.counts[shardOf(id)] ?? 0) + 1;
      onProgress(from + length);
    }
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
}

function registrationOf(n: number): Registration {
  const requestedAt = Date.now() - 3_600_000;
  const user = { keyId: `user-${n}`, name: `User ${n}`, attributes: new Map([['country', n % 2 ? 'FR' : 'DE']]) };
  // Ids as API Gateway's: 15 characters and a sign.
  return { id: randomBytes(11).toString('base64'), type: 'client', user, requestedAt };
}
