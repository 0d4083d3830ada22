import { authenticateConnection, type KnownKeys, readConnectionQuery } from '../../shared/store/authenticate.ts';
import type { Grants } from './grants.ts';
import { RelaySession } from './relaySession.ts';
import { SdkSession } from './sdkSession.ts';
import type { Admitted, ConnectionParts } from './session.ts';
import { REFUSAL, type Transport, UNAVAILABLE } from './transport.ts';

/** What letting connections in needs, and whom it tells. */
export interface AdmissionParts extends KnownKeys, ConnectionParts {
  readonly grants: Pick<Grants, 'hold'>;
  /** The same of relay keys. */
  readonly relayGrants: Pick<Grants, 'hold'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly onRefused: (reason: string) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Lets a connection in by its query. @returns undefined when it was closed instead */
export async function admit(
  parts: AdmissionParts,
  transport: Transport,
  query: URLSearchParams,
): Promise<Admitted | undefined> {
  try {
    const found = await authenticateConnection(parts, readConnectionQuery(query), parts.now());
    if ('grant' in found) return new SdkSession(parts, transport, found.grant, parts.grants.hold(found, transport));
    if ('relay' in found) {
      const held = { secret: found.secret, grant: found.relay };
      return new RelaySession(parts, transport, found.relay, parts.relayGrants.hold(held, transport));
    }
    parts.onRefused(found.reason);
    transport.close(...REFUSAL);
  } catch (error) {
    parts.onFailed(error);
    transport.close(...UNAVAILABLE);
  }
  return undefined;
}
