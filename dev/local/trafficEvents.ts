import type { ConnectionType, LiveEvent } from '../../console/live.ts';
import type { ConnectionFacts } from '../emulator/requestContext.ts';
import type { Traffic } from '../emulator/websocket/traffic.ts';

/** Takes an event with the ids of its environments; none where these are not known. */
export type TellTraffic = (event: LiveEvent, environments: readonly string[]) => void;

/** The most characters of an SDK's or a user's name. */
const NAME_LIMIT = 200;
/** A push is reported this long after its last recipient, in milliseconds. */
const QUIET_MS = 150;
/** Maximum number of pushes that are not reported yet. Above it, the oldest push is reported at once. */
const WAITING_PUSHES = 1_000;

/** The parts of a data-sync message that are reported: of flags for clients `id` and `timestamp`, else `key` and `updatedAt`. */
interface Message {
  readonly messageType?: unknown;
  readonly data?: {
    readonly user?: { readonly keyId?: unknown };
    readonly featureFlags?: readonly Item[];
    readonly segments?: readonly Item[];
  } | null;
}
interface Item {
  readonly id?: string;
  readonly key?: string;
  readonly envId?: string;
  readonly timestamp?: number;
  readonly updatedAt?: string;
}
interface PendingSync {
  readonly user: string;
  /** Unix milliseconds. */
  readonly at: number;
  isAnswered: boolean;
}
interface Push {
  readonly document: string;
  readonly version: number;
  readonly environments: readonly string[];
  reached: number;
  lastAt: number;
}

/** Turns the gateway's traffic into events: connections, data-syncs, and pushes with the number of clients that they reach. */
export class TrafficEvents implements Traffic {
  readonly #tell: TellTraffic;
  readonly #now: () => number;
  readonly #pending = new Map<string, PendingSync>();
  /** By the time of the last recipient, oldest first. */
  readonly #pushes = new Map<string, Push>();

  /** @param now unix milliseconds */
  constructor(tell: TellTraffic, now: () => number = Date.now) {
    this.#tell = tell;
    this.#now = now;
  }

  opened(facts: ConnectionFacts): void {
    this.#tell({ type: 'opened', at: this.#now(), ...describeConnection(facts) }, listEnvironments(facts));
  }

  refused(status: number): void {
    this.#tell({ type: 'refused', at: this.#now(), status }, []);
  }

  received({ connectionId }: ConnectionFacts, text: string): void {
    const message = parse(text);
    if (message?.messageType !== 'data-sync') return;
    const { keyId } = message.data?.user ?? {};
    const user = typeof keyId === 'string' ? keyId.slice(0, NAME_LIMIT) : '';
    this.#pending.set(connectionId, { user, at: this.#now(), isAnswered: false });
  }

  sent(facts: ConnectionFacts, text: string): void {
    const connection = facts.connectionId;
    const message = parse(text);
    const sync = this.#pending.get(connection);
    if (!sync || message?.messageType !== 'data-sync') return;
    const { featureFlags = [], segments = [] } = message.data ?? {};
    const at = this.#now();
    if (!sync.isAnswered) {
      sync.isAnswered = true;
      const ms = Math.max(0, Math.round(at - sync.at));
      const counts = { flags: featureFlags.length, segments: segments.length };
      this.#tell({ type: 'sync', at, connection, user: sync.user, ...counts, ms }, listEnvironments(facts));
      return;
    }
    for (const item of [...featureFlags, ...segments]) {
      // Documents from before the request are the rest of its answer.
      const version = item.timestamp ?? Date.parse(item.updatedAt ?? '');
      if (version > sync.at) this.#pushed(item, version, listEnvironments(facts));
    }
  }

  closed(facts: ConnectionFacts, { code }: { readonly code: number }): void {
    this.#pending.delete(facts.connectionId);
    const at = this.#now();
    const afterMs = Math.max(0, at - facts.connectedAt);
    this.#tell({ type: 'closed', at, ...describeConnection(facts), afterMs, code }, listEnvironments(facts));
  }

  /** Reports pushes that are complete. To be called a few times a second. */
  flush(): void {
    for (const [id, { lastAt, environments, ...push }] of this.#pushes) {
      if (this.#now() - lastAt < QUIET_MS && this.#pushes.size <= WAITING_PUSHES) break;
      this.#pushes.delete(id);
      this.#tell({ type: 'push', at: lastAt, ...push, ms: Math.max(0, lastAt - push.version) }, environments);
    }
  }

  #pushed({ key, id = '', envId }: Item, version: number, known: readonly string[]): void {
    const document = key ?? id;
    // An agent's connection has several environments. The document names its own.
    const environments = envId === undefined ? known : known.filter((each) => each === envId);
    const name = `${environments} ${document} ${version}`;
    const push = this.#pushes.get(name) ?? { document, version, environments, reached: 0, lastAt: 0 };
    push.reached++;
    push.lastAt = this.#now();
    // Moved to the end.
    this.#pushes.delete(name);
    this.#pushes.set(name, push);
    if (this.#pushes.size > WAITING_PUSHES) this.flush();
  }
}

/** The kind of a connection, as the authorizer found it, and its SDK's name. */
function describeConnection({ connectionId, authorizer, identity }: ConnectionFacts) {
  const [agent = ''] = (identity.userAgent ?? '').split(' ');
  const sdk = agent.startsWith('Mozilla/') ? 'a browser' : agent.slice(0, NAME_LIMIT);
  const isRelay = authorizer?.['envIds'] !== undefined;
  const kind: ConnectionType = isRelay ? 'relay' : authorizer?.['type'] === 'server' ? 'server' : 'client';
  return { connection: connectionId, kind, sdk };
}

function listEnvironments({ authorizer }: ConnectionFacts): readonly string[] {
  const named = authorizer?.['envId'] ?? authorizer?.['envIds'];
  return typeof named === 'string' && named !== '' ? named.split(',') : [];
}

function parse(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
