import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { acceptance, readPlainHandshake } from './handshake.ts';
import { upgradeRequest } from './testing/rawClient.ts';

const read = (text: string) => readPlainHandshake(Buffer.from(text, 'latin1'));

test('a key is accepted as in the example of RFC 6455, section 1.3', () => {
  expect(acceptance('dGhlIHNhbXBsZSBub25jZQ==')).toContain(
    '\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n',
  );
});

describe('a plain request for a WebSocket', () => {
  test('is read with what follows it left alone', () => {
    const request = upgradeRequest('/streaming?type=client&token=a%20b', [
      'User-Agent: x',
      'Origin: https://a.example',
    ]);
    expect(read(`${request}\x81\x80`)).toEqual({
      target: '/streaming?type=client&token=a%20b',
      key: 'dGhlIHNhbXBsZSBub25jZQ==',
      bytes: request.length,
    });
  });

  test.each([
    ['Upgrade: websocket', 'upgrade: WebSocket'],
    ['Connection: Upgrade', 'connection: keep-alive, Upgrade'],
    ['Host: flags.example.com', 'Host:   flags.example.com \t'],
  ])('may write %s as %s', (from, to) => {
    expect(read(upgradeRequest().replace(from, to))).toBeDefined();
  });
});

describe('everything unusual is left to the HTTP server', () => {
  test.each([
    ['a request whose end has not come', (it: string) => it.slice(0, -1)],
    ['another method', (it: string) => it.replace('GET', 'POST')],
    ['another version of HTTP', (it: string) => it.replace('HTTP/1.1', 'HTTP/1.0')],
    ['an absolute target', (it: string) => it.replace('/streaming', 'http://host/streaming')],
    ['no host', (it: string) => it.replace('Host:', 'Hoast:')],
    ['no upgrade', (it: string) => it.replace('Upgrade: websocket\r\n', '')],
    ['an upgrade to something else', (it: string) => it.replace('websocket', 'h2c')],
    ['a connection that does not upgrade', (it: string) => it.replace('Connection: Upgrade', 'Connection: close')],
    ['another version of the protocol', (it: string) => it.replace('Version: 13', 'Version: 8')],
    ['a key that is none', (it: string) => it.replace('dGhl', 'dG l')],
    ['a key that is too short', (it: string) => it.replace('dGhl', '')],
    ['a header twice', (it: string) => it.replace('Host:', 'Host: a\r\nHost:')],
    ['a line that is no header', (it: string) => it.replace('Host:', 'nonsense\r\nHost:')],
    ['a folded header', (it: string) => it.replace('Upgrade: web', 'Upgrade:\r\n web')],
    ['a space before the colon', (it: string) => it.replace('Host:', 'Host :')],
    ['a body', (it: string) => it.replace('Host:', 'Content-Length: 5\r\nHost:')],
    ['a body in chunks', (it: string) => it.replace('Host:', 'Transfer-Encoding: chunked\r\nHost:')],
    ['an expectation', (it: string) => it.replace('Host:', 'Expect: 100-continue\r\nHost:')],
    ['a subprotocol', (it: string) => it.replace('Host:', 'Sec-WebSocket-Protocol: chat\r\nHost:')],
    ['a head over 16 KB', (it: string) => it.replace('Host:', `X: ${'y'.repeat(16_384)}\r\nHost:`)],
    ['a control character in a header', (it: string) => it.replace('Host:', 'X: \x00\r\nHost:')],
    ['a bare line feed', (it: string) => it.replace('Host:', 'X: a\nHost:')],
  ])('%s', (_, change) => {
    const request = change(upgradeRequest());
    expect(request).not.toBe(upgradeRequest());
    expect(read(request)).toBeUndefined();
  });

  test('whatever is changed of it, nothing is thrown, and nothing but a key comes out as one', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(20), fc.string({ unit: 'binary', maxLength: 10 }), (at, removed, inserted) => {
        const whole = upgradeRequest();
        const result = read(whole.slice(0, at) + inserted + whole.slice(at + removed));
        if (result) expect(result.key).toMatch(/^[\w+/]{22}==$/);
      }),
      { numRuns: 2_000 },
    );
  });
});
