import { WebSocket } from 'ws';
import type { Target } from '../target.ts';

/** A flag or segment as the agent keeps it. */
interface Item {
  readonly id: string;
  readonly envId: string;
  readonly updatedAt: string;
  readonly [field: string]: unknown;
}

/** A secret as the agent gets it. */
interface Secret {
  readonly type: string;
  readonly projectKey: string;
  readonly envId: string;
  readonly envKey: string;
  readonly value: string;
}

/** A part of `rp_full` and `rp_patch`. */
interface Entry {
  readonly envId: string;
  readonly secrets: readonly Secret[];
  readonly featureFlags: readonly Item[];
  readonly segments: readonly Item[];
}

/**
 * FeatBit's agent as its source has it (featbit-agent at 7544725): the same bytes over the wire, the same store. It is C#, and
 * does not run here.
 */
export class PlayedAgent {
  secrets: readonly Secret[] = [];
  /** By id and environment. */
  readonly items = new Map<string, Item>();
  /** The event types of its data-syncs, in order. */
  readonly events: string[] = [];
  /** What it would pass on to its own SDKs, in order: `rp_full` is not passed on. */
  readonly passedOn: Item[] = [];
  pongs = 0;
  /** How its connection ends. */
  closed: Promise<number> = Promise.resolve(0);
  readonly #target: Target;
  readonly #key: string;
  readonly #versions = new Map<string, number>();
  #socket: WebSocket | undefined;

  constructor(target: Target, key: string) {
    this.#target = target;
    this.#key = key;
  }

  /** As it registers before it connects. @returns status and body */
  async register(agentId: string): Promise<[number, string]> {
    const response = await fetch(`${this.#target.httpUrl}/api/public/agent/register`, {
      method: 'POST',
      headers: { Authorization: this.#key, 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify(agentId),
    });
    return [response.status, await response.text()];
  }

  /** Connects, and asks for data as soon as it is. @returns 101, or the status that the handshake was refused with */
  connect(): Promise<number> {
    const socket = new WebSocket(`${this.#target.streamingUrl}/streaming?type=relay-proxy&token=${this.#key}`);
    this.#socket = socket;
    socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    this.closed = new Promise((resolve) => socket.on('close', resolve));
    return new Promise((resolve, reject) => {
      socket.on('open', () => {
        socket.send(this.#request());
        resolve(101);
      });
      socket.on('unexpected-response', (_request, response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      socket.on('error', reject);
    });
  }

  ping(): void {
    this.#socket?.send('{"messageType":"ping","data":{}}');
  }

  /** As it tells how it is, every minute. */
  sendStatus(): void {
    this.#socket?.send(
      '{"messageType":"rp-agent-status","data":{"agentId":"agent-1","status":"{\\u0022serves\\u0022:\\u0022flagwire:shop\\u0022,' +
        '\\u0022dataVersion\\u0022:1700000000000,\\u0022syncState\\u0022:\\u0022Stable\\u0022,' +
        '\\u0022lastSyncedAt\\u0022:\\u00222026-01-01T00:00:00Z\\u0022,\\u0022reportedAt\\u0022:\\u00222026-01-01T00:00:00Z\\u0022}"}}',
    );
  }

  /** Loses its connection. */
  async terminate(): Promise<void> {
    this.#socket?.terminate();
    await this.closed;
  }

  /** A flag's or a segment's document in an environment. */
  item(envId: string, id: string): Item | undefined {
    return this.items.get(`${id} ${envId}`);
  }

  /** What it has in its memory decides: nothing yet, or a version of each environment. */
  #request(): string {
    const version = Math.max(0, ...this.#versions.values());
    if (version === 0) return '{"messageType":"data-sync","data":{"timestamp":0}}';
    const envs = [...this.#versions].map(([envId, timestamp]) => ({ envId, timestamp }));
    return JSON.stringify({ messageType: 'data-sync', data: { timestamp: version, envs } });
  }

  // biome-ignore lint/suspicious/noExplicitAny: messages of every kind.
  #take({ messageType, data }: { messageType: string; data: any }): void {
    if (messageType === 'pong') this.pongs++;
    if (messageType !== 'data-sync') return;
    this.events.push(data.eventType);
    const entries: Entry[] = data.items ?? [data];
    const items = entries.flatMap(({ featureFlags, segments }) => [...featureFlags, ...segments]);
    if (data.eventType === 'rp_full') {
      this.items.clear();
      this.secrets = entries.flatMap(({ secrets }) => secrets);
      for (const { envId } of entries) this.#versions.set(envId, 0);
      for (const item of items) this.#upsert(item);
    } else {
      for (const item of items) this.#upsert(item);
      this.passedOn.push(...items);
    }
  }

  #upsert(item: Item): void {
    const { id, envId, updatedAt } = item;
    if (!id || !envId || !updatedAt) throw new Error('the agent cannot take an item without id, envId and updatedAt');
    const known = this.item(envId, id);
    if (!known || Date.parse(known.updatedAt) <= Date.parse(updatedAt)) this.items.set(`${id} ${envId}`, item);
    this.#versions.set(envId, Math.max(this.#versions.get(envId) ?? 0, Date.parse(updatedAt)));
  }
}
