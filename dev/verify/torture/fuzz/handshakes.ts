import type { SecretType } from '../../../../shared/protocol/secret.ts';
import type { Random } from '../random.ts';

/** Keys of the environment of the fuzzer. */
export interface Keys {
  readonly clientKey: string;
  readonly serverKey: string;
  /** A fresh connection token. */
  token(type: SecretType): string;
}

/** The path of a WebSocket as SDKs write it. */
export function streamingPath(keys: Keys, type: SecretType): string {
  return `/streaming?type=${type}&token=${keys.token(type)}`;
}

/** A path of a WebSocket whose parts may be wrong. */
export function oddPath(random: Random, keys: Keys): string {
  const mostly = (usual: string, ...odd: string[]) => (random.chance(0.75) ? usual : random.pick(odd));
  const path = mostly(
    '/streaming',
    '/STREAMING',
    '/streaming/x',
    '//streaming',
    '/',
    '*',
    'http://a/streaming',
    '/%73',
  );
  const type = mostly('client', 'server', 'relay-proxy', 'CLIENT', '', 'client&type=server', 'x'.repeat(2_000));
  const sound = keys.token(random.pick(['client', 'server']));
  const cut = sound.slice(0, random.between(0, sound.length));
  const odd = [cut, sound.toLowerCase(), `QQQ${sound}`, `${sound}=`, '', 'Q'.repeat(4_000), `${sound}&token=${sound}`];
  const query = [`type=${type}`, `token=${mostly(sound, encodeURIComponent(sound), ...odd)}`];
  if (random.chance(0.2)) query.push(random.pick(['version=2', 'version=x', '&&=', '%', '%00', '%E0%80', '%F0%9F']));
  return `${path}?${random.chance(0.5) ? query.join('&') : query.reverse().join('&')}`;
}
