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
  /** The largest message that it takes, in bytes; a larger one makes it connect again. */
  readonly limitBytes?: number;
  /** Whether an item of a version that it has, but other content, makes it ask for everything, on the same connection. */
  readonly resyncs?: boolean;
  /** The codes of a close after which it never comes back. */
  readonly stopsAt: readonly number[];
  /** Whether it discards a message that has a null in a condition. */
  readonly takesNoNulls?: boolean;
  /** Whether what is no data-sync makes it connect again. */
  readonly takesNothingElse?: boolean;
}

/** The SDKs that are played. */
export type SdkName = 'Go' | 'Java' | '.NET' | 'Rust' | 'Ruby';

const ascending = (items: Item[]) => items.toSorted((a, b) => a.version - b.version);

/**
 * Go goes through maps, whose order is random; Java (1.4.4) sorts; .NET compares each item with what it has of it, and so do Rust
 * (0.1.1) and Ruby (at 0db3d64), which sorts, and connects again at each pong.
 */
const PLAYED: Readonly<Record<SdkName, Rules>> = {
  Go: {
    userAgent: 'fb-go-server-sdk',
    order: (items) =>
      items
        .map((item) => ({ item, at: Math.random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
    isStrict: true,
    stopsAt: [1000, 4003],
  },
  Java: { userAgent: 'fb-java-server-sdk', order: ascending, isStrict: true, stopsAt: [] },
  '.NET': { userAgent: 'featbit-dotnet-server-sdk', order: (items) => items, isStrict: false, stopsAt: [1000, 4003] },
  Rust: {
    userAgent: 'featbit-rust-server-sdk',
    order: (items) => items,
    isStrict: false,
    stopsAt: [4003],
    limitBytes: 1024 * 1024,
    resyncs: true,
    takesNoNulls: true,
  },
  Ruby: {
    userAgent: 'featbit-ruby-server-sdk',
    order: ascending,
    isStrict: false,
    stopsAt: [4003],
    takesNothingElse: true,
  },
};

/** A client that calls itself as a server-side SDK does that npm does not have, and takes messages as that one. */
export class PlayedSdk {
  /** By kind and key or id. */
  readonly items = new Map<string, Item>();
  /** How often it has connected; once, unless it was sent what it cannot take. */
  connections = 0;
  /** How many items the largest patch held. */
  largestPatch = 0;
  /** The code of the close that it does not come back from. */
  stoppedBy: number | undefined;
  /** How often it asked for everything as a patch held other content of a version that it has. */
  resyncs = 0;
  readonly #rules: Rules;
  readonly #url: () => string;
  #version = 0;
  #socket: WebSocket | undefined;

  constructor(name: SdkName, workspace: Workspace) {
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

  /** Loses its connection, and comes back with its cursor. */
  lose(): void {
    this.#socket?.terminate();
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
    socket.on('close', (code) => {
      if (this.#rules.stopsAt.includes(code)) this.stoppedBy = code;
      else this.#connect();
    });
  }

  /** @returns false when it cannot take the message, and so connects again */
  #take(text: string): boolean {
    const { limitBytes = Number.POSITIVE_INFINITY, takesNothingElse = false, takesNoNulls = false } = this.#rules;
    if (Buffer.byteLength(text) > limitBytes) return false;
    const { messageType, data } = JSON.parse(text);
    // API Gateway's own errors have none; SDKs ignore them.
    if (messageType !== 'data-sync') return !takesNothingElse;
    const { eventType, featureFlags, segments } = data;
    if (takesNoNulls && [...featureFlags, ...segments].some(hasNullCondition)) return true;
    const items = [...featureFlags.map(readFlag), ...segments.map(readSegment)];
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
    const known = this.#rules.isStrict ? this.#version : (this.items.get(itemKey(item))?.version ?? 0);
    if (item.version > known) this.#put(item);
    else if (this.#rules.resyncs && this.#isConflict(item)) this.#resync();
    return item.version > known || !this.#rules.isStrict;
  }

  #isConflict(item: Item): boolean {
    const known = this.items.get(itemKey(item));
    return known?.version === item.version && known.isEnabled !== item.isEnabled;
  }

  #resync(): void {
    this.resyncs++;
    this.#socket?.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0 } }));
  }

  #put(item: Item): void {
    this.items.set(itemKey(item), item);
    this.#version = Math.max(this.#version, item.version);
  }
}

function hasNullCondition({ rules }: { rules: { conditions: Record<string, unknown>[] }[] }): boolean {
  return rules.some(({ conditions }) => conditions.some(({ op, value }) => op === null || value === null));
}

function itemKey({ kind, id }: Item): string {
  return `${kind} ${id}`;
}

function readFlag({ key, updatedAt, isEnabled }: { key: string; updatedAt: string; isEnabled: boolean }): Item {
  return { kind: 'flag', id: key, version: Date.parse(updatedAt), isEnabled };
}

function readSegment({ id, updatedAt }: { id: string; updatedAt: string }): Item {
  return { kind: 'segment', id, version: Date.parse(updatedAt), isEnabled: true };
}
