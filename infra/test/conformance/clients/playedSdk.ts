import { WebSocket } from 'ws';
import type { Workspace } from '../workspace.ts';

/** A flag or segment of a message. */
interface Item {
  readonly kind: 'flag' | 'segment';
  readonly id: string;
  readonly version: number;
  readonly isEnabled: boolean;
}

/** How an SDK's releases take messages, by their sources. */
interface Rules {
  readonly userAgent: string;
  /** The order in which it applies the items of a patch. */
  readonly order: (items: Item[]) => Item[];
  /** Whether it has one version for all, and what is not newer makes it connect again. */
  readonly isStrict: boolean;
}

const ascending = (items: Item[]) => items.toSorted((a, b) => a.version - b.version);

/** Go goes through maps, whose order is random; Java (1.4.4) sorts; .NET compares each item with what it has of it. */
const PLAYED = {
  Go: {
    userAgent: 'fb-go-server-sdk',
    order: (items) =>
      items
        .map((item) => ({ item, at: Math.random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
    isStrict: true,
  },
  Java: { userAgent: 'fb-java-server-sdk', order: ascending, isStrict: true },
  '.NET': { userAgent: 'featbit-dotnet-server-sdk', order: (items) => items, isStrict: false },
} as const satisfies Record<string, Rules>;

/** A client that calls itself as a server-side SDK does that npm does not have, and takes messages as that one. */
export class PlayedSdk {
  /** By kind and key or id. */
  readonly items = new Map<string, Item>();
  /** How often it has connected; once, unless it was sent what it cannot take. */
  connections = 0;
  /** How many items the largest patch held. */
  largestPatch = 0;
  readonly #rules: Rules;
  readonly #url: () => string;
  #version = 0;
  #socket: WebSocket | undefined;

  constructor(name: keyof typeof PLAYED, workspace: Workspace) {
    this.#rules = PLAYED[name];
    this.#url = () => workspace.url('server');
    this.#connect();
  }

  /** How many flags it has. */
  get flags(): number {
    return [...this.items.values()].filter(({ kind }) => kind === 'flag').length;
  }

  /** Whether a flag is on; undefined for one that it does not have. */
  isOn(key: string): boolean | undefined {
    return this.items.get(`flag ${key}`)?.isEnabled;
  }

  close(): void {
    this.#socket?.removeAllListeners('close').terminate();
  }

  #connect(): void {
    this.connections++;
    const socket = new WebSocket(this.#url(), { headers: { 'User-Agent': this.#rules.userAgent } });
    this.#socket = socket;
    socket.on('open', () =>
      socket.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp: this.#version } })),
    );
    socket.on('message', (data) => {
      if (!this.#take(String(data))) socket.close(1001, 'data sync error');
    });
    socket.on('error', () => {});
    socket.on('close', () => this.#connect());
  }

  /** @returns false when it cannot take the message, and so connects again */
  #take(text: string): boolean {
    const { messageType, data } = JSON.parse(text);
    // API Gateway's own errors have none; SDKs ignore them.
    if (messageType !== 'data-sync') return true;
    const { eventType, featureFlags, segments } = data;
    const items = [...featureFlags.map(flagOf), ...segments.map(segmentOf)];
    if (eventType === 'patch') {
      this.largestPatch = Math.max(this.largestPatch, items.length);
      return this.#rules.order(items).every((item) => this.#upsert(item));
    }
    const newest = Math.max(0, ...items.map(({ version }) => version));
    // What is not newer is ignored as a whole.
    if (this.#rules.isStrict && newest <= this.#version) return true;
    this.items.clear();
    for (const item of items) this.#put(item);
    return true;
  }

  #upsert(item: Item): boolean {
    const known = this.#rules.isStrict ? this.#version : (this.items.get(keyOf(item))?.version ?? 0);
    if (item.version > known) this.#put(item);
    return item.version > known || !this.#rules.isStrict;
  }

  #put(item: Item): void {
    this.items.set(keyOf(item), item);
    this.#version = Math.max(this.#version, item.version);
  }
}

function keyOf({ kind, id }: Item): string {
  return `${kind} ${id}`;
}

function flagOf({ key, updatedAt, isEnabled }: { key: string; updatedAt: string; isEnabled: boolean }): Item {
  return { kind: 'flag', id: key, version: Date.parse(updatedAt), isEnabled };
}

function segmentOf({ id, updatedAt }: { id: string; updatedAt: string }): Item {
  return { kind: 'segment', id, version: Date.parse(updatedAt), isEnabled: true };
}
