import type { IssuedSecret, SecretRecord } from '../../shared/store/environments/secrets.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import type { Secret, IssuedSecret as ShownIssued } from '../api.ts';
import type { Handlers } from './consoleContext.ts';

type Own =
  | 'POST environments/:env/secrets'
  | 'POST environments/:env/secrets/:secret/rotate'
  | 'POST environments/:env/secrets/:secret/revoke';

export function secretHandlers({ secrets }: FlagStore): Pick<Handlers, Own> {
  return {
    'POST environments/:env/secrets': async ({ env, body: { name, type } }) =>
      issued(await secrets.create(env, name, type)),
    'POST environments/:env/secrets/:secret/rotate': async ({ env, secret, body: { graceMs } }) =>
      issued(await secrets.rotate(env, secret, graceMs)),
    'POST environments/:env/secrets/:secret/revoke': async ({ env, secret }) =>
      shownSecret(await secrets.revoke(env, secret)),
  };
}

/** A secret without its hash. */
export function shownSecret({ hash, ...shown }: SecretRecord): Secret {
  return shown;
}

/** A new secret with its value. */
export function issued({ record, value }: IssuedSecret): ShownIssued {
  return { ...shownSecret(record), value };
}
