import type { AwsProfile } from '../awsProfiles.ts';
import type { Clock } from '../clock.ts';
import type { Resource } from '../template/resolve.ts';
import { createTokenBucket, type RateLimit } from './tokenBucket.ts';

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

/** The throttle settings of a stage. The default is the quota of the account. */
export type RouteLimits = ReturnType<typeof readRouteLimits>;

/** Reads the throttling settings of an `AWS::ApiGatewayV2::Stage`. */
export function readRouteLimits(stage: Resource) {
  const ofRoutes = (stage.property('RouteSettings') ?? {}) as Record<string, RouteSettings>;
  return {
    /** The limit of each route without its own limit. */
    standard: limitOf((stage.property('DefaultRouteSettings') ?? {}) as RouteSettings),
    byRoute: new Map(Object.entries(ofRoutes).map(([routeKey, settings]) => [routeKey, limitOf(settings)])),
  };
}

/**
 * Makes the throttle of a stage. Each route has its own bucket for all clients. A request also needs a token of the
 * account's bucket.
 *
 * @param requests the account's quota, which fills up what a limit leaves open
 * @returns a function that says whether one more request of a route may pass
 */
export function createRouteThrottle(
  { standard, byRoute }: RouteLimits,
  { requests, throttle, clock }: { requests: RateLimit; throttle: AccountThrottle; clock: Clock },
): (routeKey: string) => boolean {
  const buckets = new Map<string, () => boolean>();
  return (routeKey) => {
    const limit = { ...requests, ...standard, ...byRoute.get(routeKey) };
    const take = buckets.get(routeKey) ?? createTokenBucket(limit, clock);
    buckets.set(routeKey, take);
    return take() && throttle.request();
  };
}

function limitOf({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }: RouteSettings): Partial<RateLimit> {
  return {
    ...(rate !== undefined && { perSecond: Number(rate) }),
    ...(burst !== undefined && { burst: Number(burst) }),
  };
}

interface RouteSettings {
  readonly ThrottlingRateLimit?: number | string;
  readonly ThrottlingBurstLimit?: number | string;
}
