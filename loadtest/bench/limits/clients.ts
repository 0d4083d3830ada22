import { WebSocket } from 'ws';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { referenceDocuments } from '../../../shared/reference-data/documents.ts';
import type { Store } from '../../../shared/store/store.ts';
import { SDKS } from '../../scenarios/sdks.ts';

/** An environment, and its secrets by their type. */
export interface Environment {
  readonly id: string;
  readonly keys: Readonly<Record<'client' | 'server', string>>;
}

/** Makes an environment with FeatBit's benchmark flags. */
export async function anEnvironment({ environments, documents }: Store, name: string): Promise<Environment> {
  const { environment, secrets } = await environments.create(name);
  await documents.import(environment.id, referenceDocuments());
  const keyOf = (type: 'client' | 'server') => secrets.find(({ record }) => record.type === type)?.value ?? '';
  return { id: environment.id, keys: { client: keyOf('client'), server: keyOf('server') } };
}

/** What happens to a client. */
export interface ClientEvents {
  /** It was answered with its flags, or sent them. */
  readonly onFlags?: () => void;
  readonly onPatch?: () => void;
  /** API Gateway sent an error in place of an answer. */
  readonly onError?: () => void;
  /** It was refused, or its connection has ended; it comes back. @param code the close code, or 0 for a refused handshake */
  readonly onEnd?: (code: number) => void;
}

/** A client that does as FeatBit's JavaScript SDKs: it asks once it is connected, and comes back after their pauses. */
export class Client {
  readonly #url: () => string;
  readonly #keyId: string;
  readonly #events: ClientEvents;
  #socket: WebSocket | undefined;
  #isOver = false;
  #failures = 0;

  constructor(
    streamingUrl: string,
    environment: Environment,
    type: 'client' | 'server',
    keyId: string,
    events: ClientEvents,
  ) {
    this.#url = () =>
      `${streamingUrl}/streaming?type=${type}&token=${encodeToken(environment.keys[type], Date.now(), 7)}`;
    this.#keyId = keyId;
    this.#events = events;
    this.#connect();
  }

  close(): void {
    this.#isOver = true;
    this.#socket?.terminate();
  }

  #connect(): void {
    if (this.#isOver) return;
    const socket = new WebSocket(this.#url(), { perMessageDeflate: false });
    this.#socket = socket;
    const user = { keyId: this.#keyId, name: this.#keyId, customizedProperties: [] };
    socket.on('open', () => {
      this.#failures = 0;
      socket.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0, user } }));
    });
    socket.on('message', (data) => {
      const { messageType, data: { eventType } = {} } = JSON.parse(String(data));
      if (messageType === undefined) this.#events.onError?.();
      if (eventType === 'full') this.#events.onFlags?.();
      if (eventType === 'patch') this.#events.onPatch?.();
    });
    // Of a refused handshake, too, `close` tells.
    socket.on('error', () => {});
    socket.on('close', (code) => {
      if (this.#isOver) return;
      this.#events.onEnd?.(code === 1006 ? 0 : code);
      setTimeout(() => this.#connect(), SDKS.node.backOffSeconds(++this.#failures, 0) * 1_000);
    });
  }
}
