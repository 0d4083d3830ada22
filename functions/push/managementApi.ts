import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { systemEffects } from '../../shared/store/effects.ts';
import { retry, spread } from '../../shared/store/retry.ts';
import type { ConnectionSender, Posted } from './connectionSender.ts';

/** Ends connections. */
export interface ConnectionEnder {
  /** Ends one, with 1000, unless it is gone. @throws when it could not be ended now */
  end(connectionId: string): Promise<void>;
}

/** How patient a management API is. */
export interface ManagementApiOptions {
  /** Pauses before sending again what API Gateway was too busy for, or failed at, in milliseconds. */
  readonly pausesMs?: readonly number[];
  /** How long API Gateway may stay silent during a request, in milliseconds. */
  readonly silenceMs?: number;
}

/** Messages under way at the same time; the SDK's own limit is 50. */
const SOCKETS = 256;

/** API Gateway's management API of one stage; connects when first used. */
export class ManagementApi implements ConnectionSender, ConnectionEnder {
  readonly #endpoint: string;
  readonly #pausesMs: readonly number[];
  readonly #silenceMs: number;
  #client: ApiGatewayManagementApiClient | undefined;

  /** @param endpoint `https://…/<stage>` */
  constructor(endpoint: string, { pausesMs = [100, 400, 1_600], silenceMs = 3_000 }: ManagementApiOptions = {}) {
    this.#endpoint = endpoint;
    this.#pausesMs = pausesMs;
    this.#silenceMs = silenceMs;
  }

  async post(connectionId: string, text: string): Promise<Posted> {
    const command = new PostToConnectionCommand({ ConnectionId: connectionId, Data: text });
    return (await this.#request((client) => client.send(command))) === 'gone' ? 'gone' : 'sent';
  }

  async end(connectionId: string): Promise<void> {
    const command = new DeleteConnectionCommand({ ConnectionId: connectionId });
    await this.#request((client) => client.send(command));
  }

  /** Sends a request until it succeeds, the connection is gone, or all attempts have failed. */
  async #request<T>(send: (client: ApiGatewayManagementApiClient) => Promise<T>): Promise<T | 'gone'> {
    this.#client ??= createClient(this.#endpoint, this.#silenceMs);
    const client = this.#client;
    const pauseMs = (n: number) => {
      const pause = this.#pausesMs[n - 1];
      return pause === undefined ? undefined : spread(systemEffects, pause);
    };
    try {
      return await retry(systemEffects, () => send(client), { pauseMs, isTemporary });
    } catch (error) {
      if (error instanceof GoneException) return 'gone';
      throw error;
    }
  }
}

/** Too many requests or a client that reads too slowly (429), an error of API Gateway's own, or no answer at all. */
function isTemporary(error: unknown): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  return status === undefined || status === 429 || status >= 500;
}

function createClient(endpoint: string, silenceMs: number): ApiGatewayManagementApiClient {
  return new ApiGatewayManagementApiClient({
    endpoint,
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
