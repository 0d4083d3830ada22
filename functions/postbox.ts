import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { requireEnv } from './environment.ts';

/** Whether a message reached its connection, or the connection is no more. */
export type Posted = 'sent' | 'gone';

/** Sends text to connections. */
export interface Postbox {
  /** @throws when it could not be sent now, although the connection may still be there */
  post(connectionId: string, text: string): Promise<Posted>;
}

/** A postbox that counts what becomes of what it is given. */
export interface CountingPostbox extends Postbox {
  readonly counts: Record<Posted | 'failed', number>;
}

/** Counts a postbox's outcomes. */
export function countPosts(postbox: Postbox): CountingPostbox {
  const counts = { sent: 0, gone: 0, failed: 0 };
  return {
    counts,
    async post(connectionId, text) {
      let outcome: keyof typeof counts = 'failed';
      try {
        outcome = await postbox.post(connectionId, text);
        return outcome;
      } finally {
        counts[outcome]++;
      }
    },
  };
}

/** A postbox's settings. */
export interface PostboxOptions {
  /** Pauses before sending again what API Gateway was too busy for, or failed at, in milliseconds. */
  readonly pausesMs?: readonly number[];
  /** How long API Gateway may stay silent during a request, in milliseconds. */
  readonly silenceMs?: number;
}

/** Messages under way at the same time; the SDK's own limit is 50. */
const SOCKETS = 256;

/** A postbox over API Gateway's management API at the endpoint that the stack names; connects when first used. */
export function createPostbox(options: PostboxOptions = {}): Postbox {
  const api = new ManagementApi(options);
  return {
    post: async (connectionId, text) => {
      const posted = await api.ask((client) =>
        client.send(new PostToConnectionCommand({ ConnectionId: connectionId, Data: text })),
      );
      return posted === 'gone' ? 'gone' : 'sent';
    },
  };
}

/** Ends connections. */
export interface ConnectionEnder {
  /** Ends one, with 1000, unless it is gone. @throws when it could not be ended now */
  end(connectionId: string): Promise<void>;
}

/** Ends connections by the same API. */
export function createConnectionEnder(options: PostboxOptions = {}): ConnectionEnder {
  const api = new ManagementApi(options);
  return {
    end: async (connectionId) => {
      await api.ask((client) => client.send(new DeleteConnectionCommand({ ConnectionId: connectionId })));
    },
  };
}

class ManagementApi {
  readonly #pausesMs: readonly number[];
  readonly #silenceMs: number;
  #client: ApiGatewayManagementApiClient | undefined;

  constructor({ pausesMs = [100, 400, 1_600], silenceMs = 3_000 }: PostboxOptions) {
    this.#pausesMs = pausesMs;
    this.#silenceMs = silenceMs;
  }

  /** Asks until it is done, or patience has run out. */
  async ask<T>(send: (client: ApiGatewayManagementApiClient) => Promise<T>): Promise<T | 'gone'> {
    this.#client ??= createClient(this.#silenceMs);
    for (let attempt = 0; ; attempt++) {
      try {
        return await send(this.#client);
      } catch (error) {
        if (error instanceof GoneException) return 'gone';
        const pause = this.#pausesMs[attempt];
        if (pause === undefined || !isTemporary(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
      }
    }
  }
}

/** Too many requests or a client that reads too slowly (429), an error of API Gateway's own, or no answer at all. */
function isTemporary(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status === undefined || status === 429 || status >= 500;
}

function createClient(silenceMs: number): ApiGatewayManagementApiClient {
  return new ApiGatewayManagementApiClient({
    endpoint: requireEnv('CONNECTIONS_ENDPOINT'),
    // The SDK's own retries share one small budget, which a throttled API uses up at once.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: 1_000,
      socketTimeout: silenceMs,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  });
}
