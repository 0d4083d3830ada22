import type { Effects } from '../../../shared/runtime/effects.ts';
import { authenticateConnection, type KnownKeys, readConnectionQuery } from '../../../shared/store/authenticate.ts';
import { REFUSAL, type Transport, UNAVAILABLE } from '../transport/transport.ts';
import type { Grants } from './grants.ts';
import { RelaySession } from './relaySession.ts';
import { SdkSession } from './sdkSession.ts';
import type { Session, SessionDeps } from './session.ts';

/** Dependencies and callbacks of admission. */
export interface AdmissionDeps extends KnownKeys, SessionDeps {
  readonly grants: Pick<Grants, 'hold'>;
  /** Lookup of relay keys. */
  readonly relayGrants: Pick<Grants, 'hold'>;
  readonly effects: Effects;
  readonly onRefused: (reason: string) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Admits a connection by its query. @returns undefined if it was closed instead */
export async function admit(
  deps: AdmissionDeps,
  transport: Transport,
  query: URLSearchParams,
): Promise<Session | undefined> {
  try {
    const found = await authenticateConnection(deps, readConnectionQuery(query), deps.effects.now());
    if ('grant' in found) return new SdkSession(deps, transport, found.grant, deps.grants.hold(found, transport));
    if ('relay' in found) {
      const held = { secret: found.secret, grant: found.relay };
      return new RelaySession(deps, transport, found.relay, deps.relayGrants.hold(held, transport));
    }
    deps.onRefused(found.reason);
    transport.close(...REFUSAL);
  } catch (error) {
    deps.onFailed(error);
    transport.close(...UNAVAILABLE);
  }
  return undefined;
}
