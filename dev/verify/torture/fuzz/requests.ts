import { gzipSync } from 'node:zlib';
import type { SecretType } from '../../../../shared/protocol/secret.ts';
import type { Random } from '../random.ts';
import samples from './samples.json' with { type: 'json' };
import { mutatedJson } from './values.ts';

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

/** Endpoints as SDKs call them. */
const ENDPOINTS: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[] =
  samples.requests;

const EXTRA: readonly object[] = [...samples.headers, { Cookie: 'a=b; '.repeat(800) }];

/** Number of names in a large filter. */
const MANY = 100_000;

/** An HTTP request. */
export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A request to one of the endpoints, valid or not. */
export function oddRequest(random: Random, keys: Keys): OddRequest {
  const { method, path, body } = random.pick(ENDPOINTS);
  const mostly = (usual: string, ...odd: string[]) => (random.chance(0.8) ? usual : random.pick(odd));
  const isEmpty = body === undefined && random.chance(0.9);
  const secret = mostly(random.pick([keys.clientKey, keys.serverKey]), '', 'x'.repeat(44), `Bearer ${keys.clientKey}`);
  return {
    method: mostly(method, 'PUT', 'DELETE', 'OPTIONS', 'HEAD'),
    path: mostly(
      path,
      path.toUpperCase(),
      `${path}&timestamp=x`,
      `/${path}`,
      path.replace('api', '%61pi'),
      `${path}${'/a'.repeat(500)}`,
      ...['%', '%00', '%ff', '?'].map((end) => path + end),
    ),
    headers: {
      Authorization: secret,
      'X-API-Key': secret,
      ...(random.chance(0.9) ? { 'Content-Type': 'application/json' } : {}),
      ...Object.assign({}, ...random.times(0, 2, () => random.pick(EXTRA))),
    },
    body: isEmpty ? Buffer.alloc(0) : oddBody(random, body),
  };
}

function oddBody(random: Random, body: unknown): Buffer {
  if (random.chance(0.004)) {
    const names = Array.from({ length: MANY }, (_, n) => `n${n}`);
    return Buffer.from(
      JSON.stringify({ user: samples.user, filter: { tagFilterMode: 'or', tags: names, keys: names } }),
    );
  }
  const text = Buffer.from(mutatedJson(body ?? null, random));
  return random.chance(0.05) ? gzipSync(text) : text;
}
