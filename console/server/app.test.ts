import { describe, expect, test } from '@jest/globals';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { API_PATH, BODY_LIMIT_BYTES } from '../api.ts';
import type { ErrorAnswer } from '../errors.ts';
import { RIGHTS } from '../rights.ts';
import { aConsole } from '../testing/console.ts';

useTables();

const ENVIRONMENTS = `${API_PATH}environments`;
const post = (body: string | ReadableStream, headers: Record<string, string | undefined> = {}) =>
  aConsole().request(ENVIRONMENTS, { method: 'POST', body, headers });

async function errorOf(response: Response) {
  const { error } = (await response.json()) as ErrorAnswer;
  return { status: response.status, ...error };
}

describe('a body', () => {
  test.each([
    ['that is no JSON', '{', {}, 400, 'bad-request', 'not valid JSON'],
    ['that is nested too deeply', '['.repeat(5_000), {}, 400, 'bad-request', 'deeper than the limit of 2000 levels'],
    ['that is another value', '[]', {}, 400, 'bad-request', 'the body is not what this request takes'],
    ['with a field too many', '{"name":"x","id":"y"}', {}, 400, 'bad-request', 'id'],
    ['without a field', '{}', {}, 400, 'bad-request', 'name'],
    ['of another type', '{"name":7}', {}, 400, 'bad-request', 'name'],
    ['with a long number', '{"name":12345678901234567890}', {}, 400, 'bad-request', 'received number'],
    ['that a form can send', '{"name":"x"}', { 'content-type': 'text/plain' }, 415, 'json-required', 'Content-Type'],
    ['of no type', '{"name":"x"}', { 'content-type': undefined }, 415, 'json-required', 'Content-Type'],
    ['that says it is too large', '{}', { 'content-length': '99999999' }, 413, 'body-too-large', `${BODY_LIMIT_BYTES}`],
    ['that is too large', 'x'.repeat(BODY_LIMIT_BYTES + 1), {}, 413, 'body-too-large', `${BODY_LIMIT_BYTES}`],
  ])('%s is refused', async (_, body, headers, status, code, message) => {
    expect(await errorOf(await post(body, headers))).toEqual({
      status,
      code,
      message: expect.stringContaining(message),
    });
  });

  test('is read to the limit if it never ends', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(32);
    let chunks = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        chunks++;
        controller.enqueue(chunk);
      },
    });
    expect((await errorOf(await post(body))).code).toBe('body-too-large');
    expect(chunks).toBeLessThan(10);
  });
});

describe('the API', () => {
  test.each(['GET nothing', 'DELETE environments', 'POST context', 'GET environments/a/b/c'])(
    'has no request %s',
    async (request) => {
      expect(await aConsole().call(request)).toMatchObject({ status: 404 });
    },
  );

  test('tells what is looked at, and by whom', async () => {
    expect(await aConsole().call('GET context')).toEqual({
      status: 200,
      json: {
        version: '1.2.3',
        mode: 'local',
        table: expect.any(String),
        region: 'us-east-1',
        streamingUrl: 'ws://sdk',
        by: 'ann@laptop',
      },
    });
  });

  test('compresses a large answer where it may', async () => {
    const console = aConsole();
    for (let n = 0; n < 12; n++) await console.store.environments.create(`environment ${n} of a long list`);
    const response = await console.request(ENVIRONMENTS, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const plain = await console.request(ENVIRONMENTS);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.json()).toHaveLength(12);
  });

  test('answers so many requests at once, and refuses one more', async () => {
    const gate = Promise.withResolvers<void>();
    const console = aConsole({ intercept: (_, send) => gate.promise.then(send) });
    const calls = Array.from({ length: 21 }, () => console.call('GET environments'));
    await expect(Promise.race(calls)).resolves.toMatchObject({
      status: 429,
      json: { error: { code: 'too-many-requests' } },
    });
    gate.resolve();
    const refused = (await Promise.all(calls)).filter(({ status }) => status === 429);
    expect(refused.map(({ retryAfter }) => retryAfter)).toEqual(['1']);
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect((await console.call('GET environments')).status).toBe(200);
  });
});

describe('a table', () => {
  const failing = (name: string, message: string) =>
    aConsole({
      intercept: async () => {
        throw Object.assign(new Error(message), { name });
      },
    });

  test('is answered with the missing permission if AWS refuses', async () => {
    const message =
      'User: arn:aws:iam::123456789012:user/ann is not authorized to perform: dynamodb:Query on resource: ' +
      'arn:aws:dynamodb:us-east-1:123456789012:table/Flags because no identity-based policy allows the dynamodb:Query action';
    expect(await failing('AccessDeniedException', message).call('GET environments')).toEqual({
      status: 403,
      json: {
        error: {
          code: 'permission-missing',
          message: expect.stringContaining('do not allow dynamodb:Query on arn:aws:dynamodb'),
          action: 'dynamodb:Query',
          resource: 'arn:aws:dynamodb:us-east-1:123456789012:table/Flags',
        },
      },
    });
  });

  test.each([
    ['CredentialsProviderError', 'Could not load credentials from any providers'],
    ['InvalidClientTokenId', 'The security token included in the request is invalid'],
    ['InternalFailure', 'The request processing has failed'],
    ['InternalServerError', 'The request processing has failed'],
    ['ServiceUnavailable', 'The request has failed due to a temporary failure of the server'],
    ['ExpiredTokenException', 'The security token included in the request is expired'],
    ['ResourceNotFoundException', 'Requested resource not found'],
    ['Error', 'connect ECONNREFUSED 127.0.0.1:1'],
  ])('is answered with 503 and a time to retry if it cannot be read (%s)', async (name, message) => {
    expect(await failing(name, message).call('GET environments')).toMatchObject({
      status: 503,
      retryAfter: '1',
      json: { error: { code: 'table-unavailable' } },
    });
  });

  test('is not blamed for an internal error, whose message only the log has', async () => {
    const console = failing('TypeError', 'x is not a function');
    expect(await console.call('GET environments')).toEqual({
      status: 500,
      json: {
        error: {
          code: 'internal-error',
          message: 'the console failed; its log in the terminal or in CloudWatch says more',
        },
      },
    });
    expect(console.logged.join()).toContain('x is not a function');
    expect(console.logged.join()).not.toContain('the-token');
  });
});

test.each([200, 201, 3_000])('knows no id of %i characters, as of each id that does not exist', async (length) => {
  const console = aConsole();
  const { environment } = await console.store.environments.create(`with ids of ${length}`);
  const [id, plan] = ['x'.repeat(length), { operation: 'abort' }];
  for (const [request, body] of [
    [`GET environments/${id}`],
    [`GET environments/${id}/past?at=0`],
    [`GET environments/${id}/live`],
    [`POST environments/${environment.id}/plans/${id}`, plan],
    [`POST environments/${environment.id}/secrets/${id}/revoke`, {}],
  ] as const) {
    expect([request, (await console.call(request, body)).status]).toEqual([request, 404]);
  }
});

test('no request finds an environment by its name, or by its id in capitals', async () => {
  const console = aConsole();
  const { id } = (await console.store.environments.create('shop')).environment;
  for (const name of ['GET environments/:env/live', ...Object.keys(RIGHTS).filter((each) => each.includes(':env'))]) {
    for (const env of ['shop', id.toUpperCase(), `${id}%2F`, `${id}0`, `x${id}`, '%20']) {
      const path = name.replace(':env', env).replace(/:\w+/, 'x');
      const { status, json } = await console.call(path, name.startsWith('GET ') ? undefined : {});
      expect([path, status, json.error.code]).toEqual([path, 404, 'not-found']);
    }
  }
});
