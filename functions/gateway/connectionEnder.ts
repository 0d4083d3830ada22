import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
} from '@aws-sdk/client-apigatewaymanagementapi';
import type { Effects } from '../../shared/runtime/effects.ts';
import { retryBusy } from './retryBusy.ts';

/** Closes connections. */
export type ConnectionEnder = ReturnType<typeof createConnectionEnder>;

/**
 * Closes connections through the management API of a stage.
 *
 * @param endpoint `https://…/<stage>`
 */
export function createConnectionEnder(endpoint: string, effects: Effects) {
  const client = new ApiGatewayManagementApiClient({
    endpoint,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1_000, socketTimeout: 3_000 },
  });
  return {
    /** Closes a connection with 1000, unless it is gone. @throws if that fails */
    async end(connectionId: string): Promise<void> {
      try {
        const send = () => client.send(new DeleteConnectionCommand({ ConnectionId: connectionId }));
        await retryBusy(effects, send, statusOf);
      } catch (error) {
        if (!(error instanceof GoneException)) throw error;
      }
    },
  };
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}
