import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { recordPage } from '../../console/page/recordedPage.ts';
import { openProvider } from '../../console/signIn/provider.ts';

const before = { ...process.env };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flagwire-page-'));
  const asset = (type: string, text: string) => ({ type: `${type}; charset=utf-8`, body: Buffer.from(text) });
  const html = '<body><script src="main-1.js"></script></body>';
  const files = { 'main-1.js': asset('text/javascript', 'start()'), 'style-1.css': asset('text/css', 'p {}') };
  const page = join(folder, 'page.json');
  writeFileSync(page, recordPage({ html, assets: new Map(Object.entries(files)) }));
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    STAGE: 'Flagwire-prod',
    FLAGS_TABLE: 'Flags',
    CONNECTIONS_TABLE: 'Connections',
    CONSOLE_ORIGIN: 'https://api.execute-api.eu-west-1.amazonaws.com',
    CONSOLE_PAGE: page,
    SIGN_IN: JSON.stringify({
      issuer: 'http://127.0.0.1:1',
      clientId: 'c',
      groupsClaim: 'groups',
      nameClaim: 'email',
      viewers: ['*'],
      editors: {},
      administrators: [],
    }),
    SIGN_IN_ROLES: JSON.stringify({ viewer: 'arn:aws:iam::123456789012:role/viewer', editors: {} }),
  });
});
afterEach(() => {
  process.env = { ...before };
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The answer of a new instance to an event of an HTTP API. */
async function answerTo(
  path: string,
  {
    sourceIp = '203.0.113.7',
    headers = {},
    cookies = [] as string[],
    method = 'GET',
    body = null as string | null,
  } = {},
) {
  jest.resetModules();
  const { handler } = (await import('./console.ts')) as unknown as { handler: (event: object) => Promise<Answer> };
  const http = { method, path, sourceIp, protocol: 'HTTP/1.1', userAgent: 'test' };
  const requestContext = { http, domainName: 'api.execute-api.eu-west-1.amazonaws.com' };
  const event = { version: '2.0', rawPath: path, rawQueryString: '', headers, cookies, requestContext };
  return handler({ ...event, routeKey: '$default', body, isBase64Encoded: false });
}

describe('the function of the console', () => {
  test.each([
    ['/console/', 'text/html; charset=utf-8', '<body>'],
    ['/console/main-1.js', 'text/javascript; charset=utf-8', 'start()'],
    ['/console/style-1.css', 'text/css; charset=utf-8', 'p {}'],
  ])('has the page: %s', async (path, type, content) => {
    const { statusCode, headers, body } = await answerTo(path);
    expect([statusCode, headers?.['content-type']]).toEqual([200, type]);
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toContain(content);
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-frame-options': 'DENY',
    });
  });

  test.each(['/console/index.html', '/console/..%2Fconsole.ts', '/console/page/main-1.js'])(
    'has no file %s',
    async (path) => {
      expect((await answerTo(path)).statusCode).toBe(404);
    },
  );

  test('compresses, whatever a request accepts: a flood costs less', async () => {
    const { headers } = await answerTo('/console/main-1.js', { headers: { 'accept-encoding': 'identity' } });
    expect(headers['content-encoding']).toBe('gzip');
  });

  test.each([
    ...['TRACE', 'TRACK', 'CONNECT'].map((method) => [`the method ${method}`, { method }] as const),
    ['a cookie that is not Latin-1', { cookies: ['a=€'] }],
    ['a cookie of two lines', { cookies: ['a=b\nx-console-token: c'] }],
  ])('refuses %s with the headers of other answers, without a line in the log', async (_, request) => {
    const logged = [jest.spyOn(console, 'error'), jest.spyOn(process.stderr, 'write')];
    const { statusCode, headers, body } = await answerTo('/console/', request);
    for (const each of logged) expect(each).not.toHaveBeenCalled();
    jest.restoreAllMocks();
    const { headers: others } = await answerTo('/');
    const { location: _location, ...expected } = others;
    expect(headers).toMatchObject({ ...expected, 'content-type': headers['content-type'] });
    expect([statusCode, JSON.parse(body).error.code]).toEqual([400, 'bad-request']);
  });

  test.each(['GET', 'HEAD'])('ignores the body of a %s', async (method) => {
    const logged = jest.spyOn(console, 'error');
    expect((await answerTo('/console/', { method, body: 'x' })).statusCode).toBe(200);
    expect(logged).not.toHaveBeenCalled();
    jest.restoreAllMocks();
  });

  test.each([
    [4_500_000, 200],
    [4_800_000, 413],
  ])('answers %i bytes that cannot be compressed with %i: Lambda has a limit', async (size, status) => {
    const body = Buffer.from(randomBytes(size).toString('base64'));
    const assets = new Map([['large.js', { type: 'text/javascript; charset=utf-8', body }]]);
    writeFileSync(process.env['CONSOLE_PAGE'] ?? '', recordPage({ html: '', assets }));
    const answer = await answerTo('/console/large.js');
    expect([answer.statusCode, JSON.stringify(answer).length <= 6_291_456]).toEqual([status, true]);
    if (status === 200) return;
    expect(answer).toMatchObject({
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-frame-options': 'DENY' },
      isBase64Encoded: false,
    });
    expect(answer.headers).not.toHaveProperty('content-encoding');
    const { code, message } = JSON.parse(answer.body).error;
    expect([code, message]).toEqual(['body-too-large', expect.stringMatching(/npm run console.*saved/)]);
  });

  test('asks for a sign-in', async () => {
    const { statusCode, headers, body } = await answerTo('/console/api/context');
    expect([statusCode, headers?.['cache-control']]).toEqual([401, 'no-store']);
    expect(JSON.parse(body).error.code).toBe('sign-in-required');
  });

  test.each([
    ['203.0.113.7', '203.0.113.0/24', 200],
    ['203.0.114.7', '203.0.113.0/24', 403],
    ['198.51.100.1', '203.0.113.0/24,198.51.100.1/32', 200],
    ['198.51.100.2', '203.0.113.0/24,198.51.100.1/32', 403],
    ['2001:db8::1', '203.0.113.0/24', 403],
    ['::ffff:203.0.113.7', '203.0.113.0/24', 200],
  ])('answers the address %s with the blocks %s: %i', async (sourceIp, blocks, status) => {
    process.env['ALLOWED_CIDRS'] = blocks;
    const forged = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    for (const path of ['/console/', '/console/main-1.js']) {
      expect((await answerTo(path, { sourceIp, headers: forged })).statusCode).toBe(status);
    }
    const { CONSOLE_ORIGIN: origin = '', SIGN_IN: signIn = '' } = process.env;
    const { seal } = openProvider(JSON.parse(signIn), undefined, origin, Date.now);
    const session = { headers: { 'x-console-token': 'x' }, cookies: [`__Host-session=${seal('a.b.c')}`] };
    const refused = await answerTo('/console/api/context', { sourceIp, ...session });
    // A token is looked at only for the others, which needs the provider.
    expect(refused.statusCode).toBe(status === 200 ? 503 : 403);
  });

  test.each(['203.0.113.0', '203.0.113.0/33', 'all', '203.0.113.0/24,'])(
    'does not start with the blocks %s',
    async (blocks) => {
      process.env['ALLOWED_CIDRS'] = blocks;
      await expect(answerTo('/console/')).rejects.toThrow();
    },
  );

  test.each(['SIGN_IN', 'SIGN_IN_ROLES', 'CONSOLE_ORIGIN', 'FLAGS_TABLE'])(
    'does not start without %s',
    async (name) => {
      delete process.env[name];
      await expect(answerTo('/console/')).rejects.toThrow(name);
    },
  );
});
