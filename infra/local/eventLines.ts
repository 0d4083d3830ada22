import { printable } from '../../shared/protocol/printable.ts';
import type { ConnectionFacts } from '../emulator/websocket/requestContext.ts';
import type { Traffic } from '../emulator/websocket/traffic.ts';

/** What a line is about, for whoever colours it. */
export type LineKind = 'opened' | 'closed' | 'sync' | 'push' | 'refused';

/** Lines a second at most: what is left out is counted. */
const LINES_A_SECOND = 40;
/** Characters of what a client calls itself, or its user. */
const NAME_LIMIT = 60;
/** A push is told of once nobody was sent it for so long, in milliseconds. */
const QUIET_MS = 150;
/** Pushes that wait to be told of; with more of them the oldest is told of at once. */
const WAITING_PUSHES = 1_000;

/** The parts of a data-sync message that are told of: of flags for clients `id` and `timestamp`, else `key` and `updatedAt`. */
interface Message {
  readonly messageType?: unknown;
  readonly data?: {
    readonly eventType?: unknown;
    readonly user?: { readonly keyId?: unknown };
    readonly featureFlags?: readonly Item[];
    readonly segments?: readonly Item[];
  } | null;
}
interface Item {
  readonly id?: string;
  readonly key?: string;
  readonly timestamp?: number;
  readonly updatedAt?: string;
}
interface Asked {
  readonly who: string;
  /** Unix milliseconds. */
  readonly at: number;
  isAnswered: boolean;
}
interface Push {
  readonly name: string;
  readonly version: number;
  count: number;
  lastAt: number;
}

/** Tells of what passes through the gateway in one line each: who comes and goes, what is answered, whom a change reaches. */
export class EventLines implements Traffic {
  readonly #print: (line: string, kind: LineKind) => void;
  readonly #now: () => number;
  readonly #asked = new Map<string, Asked>();
  /** Those whose last recipient is longest ago first. */
  readonly #pushes = new Map<string, Push>();
  #second = 0;
  #printed = 0;
  #leftOut = 0;

  /** @param now unix milliseconds */
  constructor(print: (line: string, kind: LineKind) => void, now: () => number = Date.now) {
    this.#print = print;
    this.#now = now;
  }

  opened(facts: ConnectionFacts): void {
    this.#tell(`+ ${nameOf(facts)}`, 'opened');
  }

  refused(status: number): void {
    const why = status === 429 ? 'too many at once for this account' : 'is its key one of this table, its clock right?';
    this.#tell(`! a connection was refused with ${status}: ${why}`, 'refused');
  }

  received({ connectionId }: ConnectionFacts, text: string): void {
    const message = parse(text);
    if (message?.messageType !== 'data-sync') return;
    const { keyId } = message.data?.user ?? {};
    const who = typeof keyId === 'string' && keyId !== '' ? printable(keyId, NAME_LIMIT) : 'server';
    this.#asked.set(connectionId, { who, at: this.#now(), isAnswered: false });
  }

  sent({ connectionId }: ConnectionFacts, text: string): void {
    const message = parse(text);
    const asked = this.#asked.get(connectionId);
    if (!asked || message?.messageType !== 'data-sync') return;
    const { featureFlags = [], segments = [] } = message.data ?? {};
    if (!asked.isAnswered) {
      asked.isAnswered = true;
      const ofSegments = segments.length > 0 ? `, ${count(segments.length, 'segment')}` : '';
      const took = `${Math.max(0, Math.round(this.#now() - asked.at))} ms`;
      this.#tell(`sync ${asked.who}: ${count(featureFlags.length, 'flag')}${ofSegments} in ${took}`, 'sync');
      return;
    }
    for (const item of [...featureFlags, ...segments]) {
      // What was there when the client asked is the rest of its answer.
      const version = item.timestamp ?? Date.parse(item.updatedAt ?? '');
      if (version > asked.at) this.#pushed(item.key ?? item.id ?? '', version);
    }
  }

  closed(facts: ConnectionFacts, { code }: { readonly code: number }): void {
    this.#asked.delete(facts.connectionId);
    const seconds = Math.round((this.#now() - facts.connectedAt) / 1_000);
    this.#tell(`- ${nameOf(facts)} after ${seconds} s (${code})`, 'closed');
  }

  /** Tells of pushes that nobody was sent for a while, and how many lines were left out. To be called now and then. */
  flush(): void {
    for (const [id, push] of this.#pushes) {
      if (this.#now() - push.lastAt < QUIET_MS && this.#pushes.size <= WAITING_PUSHES) break;
      this.#pushes.delete(id);
      this.#tell(`push ${push.name} to ${push.count} in ${Math.max(0, push.lastAt - push.version)} ms`, 'push');
    }
    this.#tellLeftOut();
  }

  #pushed(name: string, version: number): void {
    const id = `${name} ${version}`;
    const push = this.#pushes.get(id) ?? { name, version, count: 0, lastAt: 0 };
    push.count++;
    push.lastAt = this.#now();
    // Moved to the end.
    this.#pushes.delete(id);
    this.#pushes.set(id, push);
    if (this.#pushes.size > WAITING_PUSHES) this.flush();
  }

  #tell(line: string, kind: LineKind): void {
    this.#tellLeftOut();
    if (this.#printed >= LINES_A_SECOND) {
      this.#leftOut++;
      return;
    }
    this.#printed++;
    this.#print(line, kind);
  }

  #tellLeftOut(): void {
    const second = Math.floor(this.#now() / 1_000);
    if (second === this.#second) return;
    if (this.#leftOut > 0) this.#print(`… ${this.#leftOut} more`, 'sync');
    this.#second = second;
    this.#printed = this.#leftOut = 0;
  }
}

/** What connected, by what the authorizer found and what it calls itself. */
function nameOf({ authorizer, identity }: ConnectionFacts): string {
  const [agent] = (identity.userAgent ?? '').split(' ');
  const called = agent?.startsWith('Mozilla/') ? ', a browser' : agent ? `, ${printable(agent, NAME_LIMIT)}` : '';
  const isAgent = authorizer?.['envIds'] !== undefined;
  return `${isAgent ? 'FeatBit’s agent' : `${authorizer?.['type'] ?? 'a'} SDK`}${called}`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
