import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GoneException,
} from '@aws-sdk/client-apigatewaymanagementapi';

/** Closes connections. */
export interface ConnectionEnder {
  /** Closes one with 1000, unless it is gone. @throws when it could not be closed now */
  end(connectionId: string): Promise<void>;
}

/**
 * Closes connections by the management API of one stage.
 *
 * @param endpoint `https://…/<stage>`
 */
export function createConnectionEnder(endpoint: string): ConnectionEnder {
  const client = new ApiGatewayManagementApiClient({
    endpoint,
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 1_000, socketTimeout: 3_000 },
  });
  return {
    async end(connectionId) {
      try {
        await client.send(new DeleteConnectionCommand({ ConnectionId: connectionId }));
      } catch (error) {
        if (!(error instanceof GoneException)) throw error;
      }
    },
  };
}
