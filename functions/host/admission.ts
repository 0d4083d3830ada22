import { authenticateConnection, readConnectionQuery } from '../../shared/store/authenticate.ts';
import type { SecretCache } from '../../shared/store/secretCache.ts';
import type { EnvironmentFeed } from './environmentFeed.ts';
import type { Grants } from './grants.ts';
import type { SendBudget } from './sendBudget.ts';
import { Subscriber } from './subscriber.ts';
import { REFUSAL, type Transport, UNAVAILABLE } from './transport.ts';

/** What letting connections in needs, and whom it tells. */
export interface AdmissionParts {
  readonly secrets: Pick<SecretCache, 'find'>;
  readonly grants: Pick<Grants, 'hold'>;
  readonly budget: SendBudget;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly onRefused: (reason: string) => void;
  readonly onFailed: (error: unknown) => void;
}

/** A connection that has been let in. */
export interface Admitted {
  readonly subscriber: Subscriber;
  readonly envId: string;
  /** To be called when the connection has ended. */
  readonly release: () => void;
  /** Where it gets changes from, since its last data-sync. */
  feed?: EnvironmentFeed;
}

/** Lets a connection in by its query. @returns undefined when it was closed instead */
export async function admit(
  parts: AdmissionParts,
  transport: Transport,
  query: URLSearchParams,
): Promise<Admitted | undefined> {
  try {
    const found = await authenticateConnection(parts.secrets, readConnectionQuery(query), parts.now());
    if ('grant' in found) {
      const subscriber = new Subscriber(found.grant.type, transport, parts.budget);
      return { subscriber, envId: found.grant.envId, release: parts.grants.hold(found, transport) };
    }
    parts.onRefused(found.reason);
    transport.close(...REFUSAL);
  } catch (error) {
    parts.onFailed(error);
    transport.close(...UNAVAILABLE);
  }
  return undefined;
}
