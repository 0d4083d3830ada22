import type { SecretType } from '../../../../shared/protocol/secret.ts';
import type { Random } from '../random.ts';

/** Keys of the environment of the fuzzer. */
export interface Keys {
  readonly clientKey: string;
  readonly serverKey: string;
  /** A fresh connection token. */
  token(type: SecretType): string;
}

/** The key of RFC 6455's example. */
const SAMPLE_KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

/** A request for a WebSocket as SDKs write it. */
export function soundHandshake(keys: Keys, type: SecretType): Buffer {
  const headers = [
    'Host: 127.0.0.1',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${SAMPLE_KEY}`,
    'Sec-WebSocket-Version: 13',
  ];
  return Buffer.from(request('GET', `/streaming?type=${type}&token=${keys.token(type)}`, headers));
}

/** A request for a WebSocket whose parts are each chosen among what may come, odd ones among them. */
export function oddHandshake(random: Random, keys: Keys): Buffer {
  const mostly = (usual: string, ...odd: string[]) => (random.chance(0.75) ? usual : random.pick(odd));
  const headers = [
    `Host: ${mostly('127.0.0.1', '', 'a'.repeat(300), '[::1]:80', 'x y', '@')}`,
    `Upgrade: ${mostly('websocket', 'WebSocket', 'h2c', 'websocket, h2c', '', ' ')}`,
    `Connection: ${mostly('Upgrade', 'upgrade, keep-alive', 'keep-alive', 'close', 'Upgrade,,', '')}`,
    `Sec-WebSocket-Key: ${mostly(SAMPLE_KEY, '', 'AAAA', '====', 'A'.repeat(500), 'dGhlIHNhbXBsZSBub25jZQ')}`,
    `Sec-WebSocket-Version: ${mostly('13', '8', '0', '', '13, 8', '99999999999999999999', '-13')}`,
  ];
  if (random.chance(0.3)) headers.push(random.pick(EXTRA));
  if (random.chance(0.1)) headers.push(random.pick(headers));
  if (random.chance(0.1)) headers.splice(random.between(0, headers.length - 1), 1);
  if (random.chance(0.02)) headers.push(...random.times(50, 3_000, (n) => `X-${n}: ${n}`));
  const method = mostly('GET', 'POST', 'HEAD', 'OPTIONS', 'get', 'PRI', 'CONNECT', '');
  const version = mostly('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1 ', 'http/1.1', 'HTTP/9.99', '');
  const lineEnd = mostly('\r\n', '\n', '\r', '\r\r\n', ' \r\n');
  return Buffer.from(request(method, oddTarget(random, keys), headers, version, lineEnd), 'latin1');
}

const EXTRA = [
  'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits',
  'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99; x="\\"',
  'Sec-WebSocket-Extensions: ,,;;==',
  'Sec-WebSocket-Protocol: a, b, a',
  'Sec-WebSocket-Protocol: ,',
  'Origin: null',
  'Origin: https://example.com',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999',
  'Transfer-Encoding: chunked',
  'Expect: 100-continue',
  `Cookie: ${'a=b; '.repeat(400)}`,
  'X-Forwarded-For: 1.2.3.4',
  'Authorization: Basic ====',
  ': no name',
  'no colon',
  ' folded: yes',
];

function oddTarget(random: Random, keys: Keys): string {
  const mostly = (usual: string, ...odd: string[]) => (random.chance(0.75) ? usual : random.pick(odd));
  const path = mostly(
    '/streaming',
    '/STREAMING',
    '/streaming/x',
    '//streaming',
    '/',
    '',
    '*',
    'http://a/streaming',
    '/%73',
  );
  const type = mostly('client', 'server', 'relay-proxy', 'CLIENT', '', 'client&type=server', 'x'.repeat(2_000));
  const sound = keys.token(random.pick(['client', 'server']));
  const odd = [sound.slice(0, random.between(0, sound.length)), sound.toLowerCase(), `QQQ${sound}`, `${sound}=`, ''];
  const token = mostly(sound, ...odd, 'Q'.repeat(4_000), encodeURIComponent(sound), `${sound}&token=${sound}`);
  const query = [
    `type=${type}`,
    `token=${token}`,
    ...(random.chance(0.2) ? [random.pick(['version=2', 'version=x', '&&=', '%'])] : []),
  ];
  return `${path}?${random.chance(0.5) ? query.join('&') : query.reverse().join('&')}`;
}

function request(
  method: string,
  target: string,
  headers: readonly string[],
  version = 'HTTP/1.1',
  lineEnd = '\r\n',
): string {
  return [`${method} ${target} ${version}`, ...headers, '', ''].join(lineEnd);
}
