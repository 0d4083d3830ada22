import {
  ApiGatewayManagementApiClient,
  GoneException,
  LimitExceededException,
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

/** Pauses before sending again what API Gateway was too busy for, in milliseconds. */
const BUSY_PAUSES_MS = [100, 300, 900, 2_700];

/** A postbox over API Gateway's management API at the endpoint that the stack names; connects when first used. */
export function createPostbox(): Postbox {
  let client: ApiGatewayManagementApiClient | undefined;
  return {
    async post(connectionId, text) {
      client ??= createClient();
      for (const pause of [...BUSY_PAUSES_MS, undefined]) {
        try {
          await client.send(new PostToConnectionCommand({ ConnectionId: connectionId, Data: text }));
          return 'sent';
        } catch (error) {
          if (error instanceof GoneException) return 'gone';
          if (!(error instanceof LimitExceededException) || pause === undefined) throw error;
          await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
        }
      }
      return 'sent';
    },
  };
}

function createClient(): ApiGatewayManagementApiClient {
  return new ApiGatewayManagementApiClient({
    endpoint: requireEnv('CONNECTIONS_ENDPOINT'),
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 },
  });
}
