import { InvalidRequest, PONG, parseDataSync, parseMessage } from '../../shared/protocol/message.ts';
import type { SecretCache } from '../../shared/store/secretCache.ts';
import { authenticateConnection } from '../authenticate.ts';
import { retryUntil } from '../retry.ts';
import type { EnvironmentFeed } from './environmentFeed.ts';
import type { Feeds } from './feeds.ts';
import { Subscriber } from './subscriber.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** Messages of one connection that wait for their turn; who sends more without reading answers is cut off. */
const WAITING_LIMIT = 64;

/** How long a first data-sync is tried again while the table cannot be reached. */
const PATIENCE_MS = 20_000;

/** What a connection takes, and whom it tells what becomes of it. */
export interface SessionParts {
  readonly secrets: Pick<SecretCache, 'find'>;
  readonly feeds: Pick<Feeds, 'of'>;
  readonly now: () => number;
  readonly onRefused: (reason: string) => void;
  readonly onIgnored: (reason: string) => void;
  readonly onSynced: (milliseconds: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** What a connection is once it has been let in. */
interface Admitted {
  readonly subscriber: Subscriber;
  readonly feed: EnvironmentFeed;
}

/**
 * Serves one connection as FeatBit's server does: it is accepted, and closed with 4003 when it may not be let in, or with
 * 1011 when that cannot be found out; its messages are handled one after another.
 */
export function serveConnection(parts: SessionParts, transport: Transport, query: URLSearchParams): TransportEvents {
  let isOpen = true;
  let waiting = 0;
  let admitted: Admitted | undefined;
  let work: Promise<void> = admit(parts, transport, query).then((result) => {
    admitted = result;
  });
  return {
    onMessage(text) {
      if (++waiting > WAITING_LIMIT) {
        parts.onIgnored('too many messages at once');
        transport.terminate();
        return;
      }
      const arrivedAt = performance.now();
      work = work.then(async () => {
        waiting--;
        if (isOpen && admitted) await handle(parts, admitted, text, arrivedAt);
      });
    },
    onClose() {
      isOpen = false;
      void work.then(() => admitted?.feed.remove(admitted.subscriber));
    },
  };
}

async function admit(parts: SessionParts, transport: Transport, query: URLSearchParams): Promise<Admitted | undefined> {
  const named = { type: '', token: '', version: '' };
  for (const [name, value] of query) {
    const lower = name.toLowerCase();
    if (lower === 'type' || lower === 'token' || lower === 'version') named[lower] = value;
  }
  try {
    const found = await authenticateConnection(parts.secrets, named, parts.now());
    if ('grant' in found) {
      return { subscriber: new Subscriber(found.grant.type, transport), feed: parts.feeds.of(found.grant.envId) };
    }
    parts.onRefused(found.reason);
    transport.close(4003, 'invalid request, close by server');
  } catch (error) {
    parts.onFailed(error);
    transport.close(1011, 'service unavailable, close by server');
  }
  return undefined;
}

async function handle(parts: SessionParts, admitted: Admitted, text: string, arrivedAt: number): Promise<void> {
  const { subscriber, feed } = admitted;
  try {
    const { messageType, data } = parseMessage(text);
    if (messageType === 'ping') subscriber.transport.send(PONG);
    else if (messageType === 'echo') subscriber.transport.send(text);
    else if (messageType === 'data-sync') {
      const request = parseDataSync(data, subscriber.type);
      const answer = () => feed.answer(subscriber, request);
      // By a clock that does not jump: the wall clock may, and nobody must lose an answer by it.
      await retryUntil(arrivedAt + PATIENCE_MS, answer, undefined, () => performance.now());
      parts.onSynced(performance.now() - arrivedAt);
    } else parts.onIgnored('unknown type');
  } catch (error) {
    if (error instanceof InvalidRequest) parts.onIgnored(error.message);
    else parts.onFailed(error);
  }
}
