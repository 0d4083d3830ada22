import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../testing/gateway.ts';
import { exampleTemplates, withProperties, withThrottled } from '../testing/templates.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const eventOf = async (path: string, init?: RequestInit) =>
  (await (await fetch(gateway.url + path, init)).json()) as Record<string, unknown>;

describe('HTTP API events', () => {
  test('a request becomes a payload of format 2.0', async () => {
    const event = await eventOf('/api/a%20b?x=1&x=2&y=%C3%BC', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Mixed': 'Case' },
      body: '{"ü":1}',
    });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: '$default',
      rawPath: '/api/a b',
      rawQueryString: 'x=1&x=2&y=%C3%BC',
      queryStringParameters: { x: '1,2', y: 'ü' },
      body: '{"ü":1}',
      isBase64Encoded: false,
      headers: {
        'content-type': 'application/json',
        'x-mixed': 'Case',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': '443',
        'x-forwarded-proto': 'https',
      },
      requestContext: {
        accountId: '000000000000',
        http: { method: 'POST', path: '/api/a b', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
        stage: '$default',
        timeEpoch: expect.any(Number),
      },
    });
  });

  test('omit absent fields', async () => {
    const event = await eventOf('/');
    for (const name of ['body', 'cookies', 'queryStringParameters']) {
      expect(event).not.toHaveProperty(name);
    }
  });

  test('repeated headers are joined, cookies stand apart', async () => {
    const text = await new Promise<string>((resolve) => {
      request(
        gateway.url,
        { headers: { 'X-Twice': ['a', 'b'], Cookie: 'c=1; d=2', Connection: 'close' } },
        (response) => {
          let heard = '';
          response.on('data', (chunk: Buffer) => {
            heard += chunk.toString();
          });
          response.on('end', () => resolve(heard));
        },
      ).end();
    });
    const event = JSON.parse(text) as { headers: Record<string, string>; cookies: string[] };
    expect(event.cookies).toEqual(['c=1', 'd=2']);
    expect(event.headers['x-twice']).toBe('a,b');
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.headers).not.toHaveProperty('connection');
  });

  test.each([
    ['application/octet-stream', undefined],
    ['application/x-www-form-urlencoded', undefined],
    ['application/json', 'gzip'],
  ])('a body of type %s, encoded %s, arrives as base64', async (type, encoding) => {
    const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) };
    const event = await eventOf('/', { method: 'POST', headers, body: Buffer.from([1, 2, 255]) });
    expect(event).toMatchObject({ isBase64Encoded: true, body: 'AQL/' });
  });
});

describe('an HTTP API with another route', () => {
  const routeOf = async (path: string, method: string) => (await eventOf(path, { method }))['routeKey'];

  test('gets the requests of this route, and the API with $default all others', async () => {
    expect(await routeOf('/orders/7?x=1', 'POST')).toBe('POST /orders/{id}');
    for (const path of ['/orders', '/orders/', '/orders/7/items', '/Orders/7']) {
      expect([path, await routeOf(path, 'POST')]).toEqual([path, '$default']);
    }
    expect(await routeOf('/orders/7', 'GET')).toBe('$default');
  });

  test('is called by the route of its function’s permission only', async () => {
    const templates = withProperties(exampleTemplates, 'Http', 'OrdersRoute', { RouteKey: 'POST /orders/{name}' });
    const other = await startTestGateway({ templates });
    expect((await fetch(`${other.url}/orders/7`, { method: 'POST' })).status).toBe(500);
    await other.close();
  });

  test.each(['ANY /orders', 'POST /orders/{rest+}'])('%s is not emulated', async (RouteKey) => {
    const templates = withProperties(exampleTemplates, 'Http', 'OrdersRoute', { RouteKey });
    await expect(startTestGateway({ templates })).rejects.toThrow('with one route, $default or <method> <path>');
  });
});

/** Sends `text` as it is and resolves with the status line of what comes back. */
function rawStatus(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(text));
    socket.once('data', (chunk: Buffer) => {
      resolve(chunk.toString().split('\r\n')[0] ?? '');
      socket.destroy();
    });
  });
}

describe('HTTP API responses', () => {
  test('a client that offers to upgrade to something else is served as if it had not', async () => {
    const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAA\r\n';
    expect(await rawStatus(`GET /bare HTTP/1.1\r\nHost: x\r\n${h2c}\r\n`)).toBe('HTTP/1.1 200 OK');
  });

  test('an answer without a status code is the JSON body', async () => {
    const response = await fetch(`${gateway.url}/bare`);
    expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
      200,
      'application/json',
      { hello: 'world' },
    ]);
  });

  test('status, headers, cookies and a base64 body pass; the integration’s CORS headers do not', async () => {
    const response = await fetch(`${gateway.url}/teapot`);
    expect(response.status).toBe(418);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 255, 1]));
  });

  test.each([
    ['/throw', 500, 'Internal Server Error'],
    ['/malformed', 500, 'Internal Server Error'],
    ['/hang', 503, 'Service Unavailable'],
    ['/%zz', 400, 'Bad Request'],
  ])('%s is %i', async (path, status, message) => {
    const response = await fetch(gateway.url + path);
    expect([response.status, await response.json()]).toEqual([status, { message }]);
  });

  test('a function that is throttled is 503', async () => {
    const other = await startTestGateway({ templates: withThrottled(exampleTemplates, 'Http', 'HttpFn') });
    const response = await fetch(other.url);
    expect([response.status, await response.json()]).toEqual([503, { message: 'Service Unavailable' }]);
    await other.close();
  });

  test('past its stage’s limit a request is 429, with the headers of CORS', async () => {
    const DefaultRouteSettings = { ThrottlingRateLimit: 0, ThrottlingBurstLimit: 1 };
    const templates = withProperties(exampleTemplates, 'Http', 'HttpStage', { DefaultRouteSettings });
    const other = await startTestGateway({ templates });
    const headers = { origin: 'https://app.example' };
    expect((await fetch(other.url, { headers })).status).toBe(200);
    const refused = await fetch(other.url, { headers });
    expect([refused.status, await refused.json()]).toEqual([429, { message: 'Too Many Requests' }]);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
    await other.close();
  });

  test('headers above 10,240 bytes are refused, cookies included', async () => {
    const statusOf = async (bytes: number) =>
      (await fetch(gateway.url, { headers: { cookie: 'c'.repeat(bytes) } })).status;
    expect([await statusOf(9_900), await statusOf(10_240)]).toEqual([200, 431]);
  });

  test('a body above 10 MB is refused', async () => {
    const response = await fetch(gateway.url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
    expect([response.status, await response.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
  });
});

describe('HTTP API CORS', () => {
  test('a preflight is answered by the gateway', async () => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const response = await fetch(`${gateway.url}/throw`, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,POST,OPTIONS',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '3600',
    });
  });

  test.each([{ AllowOrigins: ['https://app.example'] }, { AllowOrigins: ['*'], AllowCredentials: false }])(
    '%j is not emulated',
    async (CorsConfiguration) => {
      const templates = withProperties(exampleTemplates, 'Http', 'HttpApi', { CorsConfiguration });
      await expect(startTestGateway({ templates })).rejects.toThrow('for all origins, without credentials');
    },
  );

  test('a request with an origin gets the configured headers, also on errors', async () => {
    for (const path of ['/', '/throw', '/teapot']) {
      const response = await fetch(gateway.url + path, { headers: { origin: 'https://app.example' } });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-methods')).toBeNull();
    }
  });
});
