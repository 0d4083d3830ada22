import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { systemEffects } from '../../shared/store/effects.ts';
import { retry, spread } from '../../shared/store/retry.ts';
import type { ConnectionSender, Posted } from './connectionSender.ts';

/** Closes connections. */
export interface ConnectionEnder {
  /** Closes one with 1000, unless it is gone. @throws when it could not be closed now */
  end(connectionId: string): Promise<void>;
}

/** How the management API is retried. */
interface ManagementApiOptions {
  /** Pauses before a request that failed is sent again, in milliseconds. */
  readonly pausesMs?: readonly number[];
  /** How long API Gateway may take to answer, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Requests at the same time; the SDK's default is 50. */
const SOCKETS = 256;

/** API Gateway's management API of one stage; its client is made on first use. */
export class ManagementApi implements ConnectionSender, ConnectionEnder {
  readonly #endpoint: string;
  readonly #pausesMs: readonly number[];
  readonly #timeoutMs: number;
  #client: ApiGatewayManagementApiClient | undefined;

  /** @param endpoint `https://…/<stage>` */
  constructor(endpoint: string, { pausesMs = [100, 400, 1_600], timeoutMs = 3_000 }: ManagementApiOptions = {}) {
    this.#endpoint = endpoint;
    this.#pausesMs = pausesMs;
    this.#timeoutMs = timeoutMs;
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
    this.#client ??= createClient(this.#endpoint, this.#timeoutMs);
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

function createClient(endpoint: string, timeoutMs: number): ApiGatewayManagementApiClient {
  return new ApiGatewayManagementApiClient({
    endpoint,
    // The SDK's retries share one small budget, which a throttled API uses up at once.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: 1_000,
      socketTimeout: timeoutMs,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  });
}
