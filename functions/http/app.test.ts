import { describe, expect, test } from '@jest/globals';
import { hashSecret } from '../../shared/store/table/keys.ts';
import { aCondition, aFlag, aRule } from '../../shared/testing/builders.ts';
import { output, service, useService } from '../testing/fixture.ts';
import { aHttp, CLIENT, EVALUATE, GUARDED, LIVENESS, READINESS, REGISTER, SERVER, TRACK } from './testing/http.ts';

useService();

const down = async () => {
  throw new Error('the table is down');
};
const errors = () => output.lines().filter(({ level }) => level === 'ERROR');

describe('health', () => {
  test('is told without a secret', async () => {
    const { ask } = aHttp();
    for (const path of [LIVENESS, READINESS]) {
      const response = await ask(path, { secret: null });
      expect([path, response.status, await response.text()]).toEqual([path, 200, 'Healthy']);
      expect(response.headers.get('content-type')).toContain('text/plain');
    }
  });

  test('is alive, but not ready, while the table cannot be reached', async () => {
    const { ask } = aHttp({ intercept: down, checkReadiness: down });
    expect((await ask(LIVENESS, { secret: null })).status).toBe(200);
    expect(output.text()).toBe('');
    const readiness = await ask(READINESS, { secret: null });
    expect([readiness.status, await readiness.text()]).toEqual([503, 'Unhealthy']);
    expect(readiness.headers.get('retry-after')).toBe('1');
    expect(errors()).toEqual([expect.objectContaining({ message: 'not ready' })]);
  });

  test('comes back with the table', async () => {
    let isDown = true;
    const { ask } = aHttp({ checkReadiness: () => (isDown ? down() : Promise.resolve()) });
    expect((await ask(READINESS)).status).toBe(503);
    isDown = false;
    expect((await ask(READINESS)).status).toBe(200);
  });
});

test('a key of a deleted environment is refused while it is cached', async () => {
  const { ask } = aHttp();
  const ofrep = '/ofrep/v1/evaluate/flags';
  const paths = [
    [SERVER, { secret: service.secrets.server.value }],
    [CLIENT, { body: { keyId: 'u1' } }],
    [EVALUATE, { body: { user: { keyId: 'u1' } } }],
    [ofrep, { secret: `Bearer ${service.secrets.client.value}`, body: { context: {} } }],
    [`${ofrep}/f`, { secret: `Bearer ${service.secrets.client.value}`, body: { context: {} } }],
    ['/openfeature/v0/manifest', { secret: service.secrets.server.value }],
  ] as const;
  for (const [path, request] of paths) expect([200, 404]).toContain((await ask(path, request)).status);
  await service.store.environments.remove(await service.store.environments.find(service.envId));
  const statuses = [];
  for (const [path, request] of paths) {
    const response = await ask(path, request);
    statuses.push(response.status);
    expect(await response.text()).toContain('the environment was deleted');
  }
  expect(statuses).toEqual([403, 403, 403, 401, 401, 401]);
  expect(errors()).toEqual([]);
});

describe('a path', () => {
  test.each(GUARDED)('%s may be in any letter case, and have slashes too many', async (path, method, body) => {
    const { ask } = aHttp();
    for (const variant of [
      path.toUpperCase(),
      `${path}/`,
      `${path}//`,
      `//${path}`,
      path.replace('/public', '//Public'),
    ]) {
      const response = await ask(variant, { method, body, secret: service.secrets.server.value });
      expect([variant, response.status]).toEqual([variant, 200]);
      expect((await ask(variant, { method, body, secret: null })).status).toBe(401);
    }
  });

  test('may be that of health in any letter case, too', async () => {
    const { ask } = aHttp();
    expect((await ask('/Health/Liveness/', { secret: null })).status).toBe(200);
  });

  test.each([
    ['that nobody serves', '/nothing/here', 'GET'],
    ['above an endpoint', '/api/public/sdk/server', 'GET'],
    ['below an endpoint', `${SERVER}/more`, 'GET'],
    ['that is the root', '/', 'GET'],
    ['that is no text', '/%E0%A4%A', 'GET'],
    ['that climbs', '/api/public/../../etc', 'GET'],
    ['of prototypes', '/__proto__/constructor', 'GET'],
    ['that nobody serves, with a method of no meaning', '/nothing/here', 'BREW'],
  ])('%s is 401 without a secret, and 404 with one', async (_, path, method) => {
    const { ask } = aHttp();
    expect((await ask(path, { method, secret: null })).status).toBe(401);
    expect((await ask(path, { method })).status).toBe(404);
    expect(errors()).toEqual([]);
  });

  const refusal = async (response: Response) => [response.status, response.headers.get('allow')];

  test.each([
    [SERVER, 'GET, HEAD', ['POST', 'PUT', 'OPTIONS', 'BREW']],
    [CLIENT, 'POST', ['GET', 'HEAD', 'DELETE', 'OPTIONS']],
    [EVALUATE, 'POST', ['GET', 'HEAD', 'PATCH']],
    [TRACK, 'POST', ['GET', 'DELETE']],
  ])('%s takes %s alone: any other method is 401 without a secret, and 405 with one', async (path, allow, methods) => {
    const { ask } = aHttp();
    for (const method of methods) {
      expect([method, (await ask(path, { method, secret: null })).status]).toEqual([method, 401]);
      for (const { value: secret } of [service.secrets.client, service.secrets.server]) {
        for (const variant of [path, `${path}/`, path.toUpperCase()]) {
          expect([method, await refusal(await ask(variant, { method, secret }))]).toEqual([method, [405, allow]]);
        }
      }
    }
    expect(errors()).toEqual([]);
  });

  test.each([
    [LIVENESS, 'GET, HEAD'],
    [READINESS, 'GET, HEAD'],
    [REGISTER, 'POST'],
  ])('%s, which asks for no secret, takes %s alone: any other method is 405', async (path, allow) => {
    const { ask } = aHttp();
    const wrong = allow === 'POST' ? 'GET' : 'POST';
    for (const method of [wrong, 'DELETE', 'OPTIONS']) {
      const response = await ask(path, { method, secret: null });
      expect([method, await refusal(response)]).toEqual([method, [405, allow]]);
      expect(await response.json()).toEqual({ message: `this path only supports ${allow}` });
    }
  });

  test('answers HEAD requests if it can be read', async () => {
    const { ask } = aHttp();
    for (const path of [LIVENESS, READINESS, SERVER]) {
      const response = await ask(path, { method: 'HEAD', secret: service.secrets.server.value });
      expect([path, response.status, await response.text()]).toEqual([path, 200, '']);
    }
  });
});

test('a user id of 64 bits matches only itself, whichever endpoint takes it', async () => {
  const rules = [aRule([aCondition('id', 'IsOneOf', '["1234567890123456789"]')])];
  await service.store.documents.writeFlag(service.envId, 'f', () => aFlag({ key: 'f', rules }));
  const { ask } = aHttp();
  const user = (id: string) => `{"keyId":"u1","customizedProperties":[{"name":"id","value":${id}}]}`;
  const paths: [string, (id: string) => string][] = [
    [EVALUATE, (id) => `{"user":${user(id)}}`],
    [CLIENT, user],
    ['/ofrep/v1/evaluate/flags', (id) => `{"context":{"targetingKey":"u1","id":${id}}}`],
  ];
  for (const [path, body] of paths) {
    const secret = path.startsWith('/ofrep') ? `Bearer ${service.secrets.client.value}` : service.secrets.client.value;
    const variationOf = async (id: string) =>
      /"(?:id|variationId|variant)":"(on|off)"/.exec(await (await ask(path, { secret, body: body(id) })).text())?.[1];
    expect([path, await variationOf('1234567890123456789')]).toEqual([path, 'off']);
    for (const id of ['1234567890123456800', '1234567890123456788', '1234567890123456768'])
      expect([path, id, await variationOf(id)]).toEqual([path, id, 'on']);
  }
});

describe('a fault', () => {
  test.each(GUARDED)(
    'answers 503 with a time to retry if the look-up of a secret fails: %s',
    async (path, method, body) => {
      const { ask } = aHttp({ intercept: down });
      const secret = service.secrets.server.value;
      const response = await ask(path, { method, body, secret });
      expect([response.status, await response.json()]).toEqual([
        503,
        { message: 'the service cannot answer now; try again' },
      ]);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(errors()).toEqual([expect.objectContaining({ message: 'request failed', path })]);
      for (const part of [secret, secret.slice(0, 22), hashSecret(secret)]) expect(output.text()).not.toContain(part);
    },
  );

  test('writes a few short lines to the log, however many requests fail', async () => {
    const { ask } = aHttp({ intercept: down, checkReadiness: down });
    const secret = service.secrets.server.value;
    const paths = [READINESS, `/${'x'.repeat(10_000)}`];
    const requests = Array.from({ length: 200 }, (_, n) => ask(paths[n % 2] as string, { secret }));
    for (const { status } of await Promise.all(requests)) expect(status).toBe(503);
    expect(errors()).toHaveLength(20);
    // A line contains a stack with file paths. Without a limit, the ten thousand x alone would be twice as long.
    expect(output.text().length).toBeLessThan(100_000);
  });

  test.each(GUARDED.slice(0, 3))('answers 503 if the read of flags fails: %s', async (path, method, body) => {
    const intercept = (call: { input: { Key?: { pk: { S: string } } } }, send: () => Promise<unknown>) =>
      call.input.Key?.pk.S.startsWith('SECRET#') ? send() : down();
    const { ask } = aHttp({ intercept });
    const response = await ask(path, { method, body, secret: service.secrets.server.value });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('the table is down');
  });

  test('is not remembered: the next request is answered', async () => {
    let isDown = true;
    const { ask } = aHttp({ intercept: (_, send) => (isDown ? down() : send()) });
    const secret = service.secrets.server.value;
    expect((await ask(SERVER, { secret })).status).toBe(503);
    isDown = false;
    expect((await ask(SERVER, { secret })).status).toBe(200);
  });

  test('acknowledges nothing if the sink of insights fails, so that SDKs send again', async () => {
    const { ask } = aHttp({ insights: { write: down } });
    expect((await ask(TRACK, { body: [{ user: { keyId: 'u1' } }] })).status).toBe(503);
    expect(output.text()).not.toContain('u1');
  });
});
