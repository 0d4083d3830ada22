import type { AwsProfile } from '../awsProfiles.ts';
import type { Clock } from '../clock.ts';
import { createTokenBucket } from './tokenBucket.ts';

/** The throttle of all API Gateway APIs of an account together. */
export type AccountThrottle = ReturnType<typeof createAccountThrottle>;

/**
 * Makes the throttle of an account that has had no requests for a while.
 *
 * Sources: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html and, for connections,
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
export function createAccountThrottle({ requests, newConnections }: AwsProfile, clock: Clock) {
  return {
    /** Checks whether one more request may pass: a handshake, a client's message, an HTTP request, or one to `@connections`. */
    request: createTokenBucket(requests, clock),
    /** Checks whether one more WebSocket connection may be opened. */
    connection: createTokenBucket(newConnections, clock),
  };
}
