import type { ConnectionType, LiveEvent } from '../../console/live.ts';
import type { ConnectionFacts } from '../emulator/requestContext.ts';
import type { Traffic } from '../emulator/websocket/events.ts';

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
  readonly reached: number;
  readonly lastAt: number;
}

/**
 * Turns the gateway's traffic into events: connections, data-syncs, and pushes with the number of clients that they reach.
 *
 * @param now unix milliseconds
 */
export function createTrafficEvents(tell: TellTraffic, now: () => number = Date.now) {
  const pending = new Map<string, PendingSync>();
  /** By the time of the last recipient, oldest first. */
  const pushes = new Map<string, Push>();

  /** Reports pushes that are complete. To be called a few times a second. */
  function flush(): void {
    for (const [id, { lastAt, environments, ...push }] of pushes) {
      if (now() - lastAt < QUIET_MS && pushes.size <= WAITING_PUSHES) break;
      pushes.delete(id);
      tell({ type: 'push', at: lastAt, ...push, ms: Math.max(0, lastAt - push.version) }, environments);
    }
  }

  function pushed({ key, id = '', envId }: Item, version: number, known: readonly string[]): void {
    const document = key ?? id;
    // An agent's connection has several environments. The document names its own.
    const environments = envId === undefined ? known : known.filter((each) => each === envId);
    const name = `${environments} ${document} ${version}`;
    const { reached = 0 } = pushes.get(name) ?? {};
    // Moved to the end.
    pushes.delete(name);
    pushes.set(name, { document, version, environments, reached: reached + 1, lastAt: now() });
    if (pushes.size > WAITING_PUSHES) flush();
  }

  return {
    flush,
    opened(facts: ConnectionFacts): void {
      tell({ type: 'opened', at: now(), ...describeConnection(facts) }, listEnvironments(facts));
    },
    refused(status: number): void {
      tell({ type: 'refused', at: now(), status }, []);
    },
    received({ connectionId }: ConnectionFacts, text: string): void {
      const message = parse(text);
      if (message?.messageType !== 'data-sync') return;
      const { keyId } = message.data?.user ?? {};
      const user = typeof keyId === 'string' ? keyId.slice(0, NAME_LIMIT) : '';
      pending.set(connectionId, { user, at: now(), isAnswered: false });
    },
    sent(facts: ConnectionFacts, text: string): void {
      const connection = facts.connectionId;
      const message = parse(text);
      const sync = pending.get(connection);
      if (!sync || message?.messageType !== 'data-sync') return;
      const { featureFlags = [], segments = [] } = message.data ?? {};
      const at = now();
      if (!sync.isAnswered) {
        sync.isAnswered = true;
        const ms = Math.max(0, Math.round(at - sync.at));
        const counts = { flags: featureFlags.length, segments: segments.length };
        tell({ type: 'sync', at, connection, user: sync.user, ...counts, ms }, listEnvironments(facts));
        return;
      }
      for (const item of [...featureFlags, ...segments]) {
        // Documents from before the request are the rest of its answer.
        const version = item.timestamp ?? Date.parse(item.updatedAt ?? '');
        if (version > sync.at) pushed(item, version, listEnvironments(facts));
      }
    },
    closed(facts: ConnectionFacts, { code }: { readonly code: number }): void {
      pending.delete(facts.connectionId);
      const at = now();
      const afterMs = Math.max(0, at - facts.connectedAt);
      tell({ type: 'closed', at, ...describeConnection(facts), afterMs, code }, listEnvironments(facts));
    },
  } satisfies Traffic & { flush(): void };
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
