import { beforeEach, describe, expect, test } from '@jest/globals';
import { secretIdOf } from '../../shared/store/table/keys.ts';
import { output, service, useService } from '../testing/fixture.ts';
import { aHttp, type TestHttp } from './testing/http.ts';

useService();

const REGISTER = '/api/public/agent/register';
let http: TestHttp;
let key: string;
beforeEach(async () => {
  http = aHttp();
  ({ key } = await service.store.relays.create('agents', [service.envId]));
});

const register = (secret: string | null, body: unknown = '"agent-1"') =>
  http.ask(REGISTER, { method: 'POST', secret, body });

describe('an agent that registers', () => {
  test('is answered with its id', async () => {
    const response = await register(key);
    expect([response.status, await response.text()]).toEqual([200, 'agent-1']);
  });

  test.each([
    ['no key', () => null],
    ['a secret of an environment', () => service.secrets.server.value],
    ['an unknown key', () => `rp-${'A'.repeat(44)}`],
    ['a scheme before the key', () => `Bearer ${key}`],
  ])('is refused with 401 for %s, without a key in the log', async (_, secret) => {
    const response = await register(secret());
    expect([response.status, await response.json()]).toEqual([401, { message: expect.stringContaining('relay key') }]);
    expect(output.text()).toContain('relay key');
    expect(output.text()).not.toContain(key);
  });

  test('is refused with a revoked key', async () => {
    await service.store.relays.revoke(secretIdOf(key));
    expect((await register(key)).status).toBe(401);
  });

  test.each(['', 'no json', '""', '" "', '5', 'null', '{"agentId":"a"}', `"${'a'.repeat(257)}"`])(
    'gets 400 with what an id is for %j',
    async (body) => {
      const response = await register(key, body);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ message: expect.stringContaining('JSON string') });
    },
  );

  test('gets 503 while the table is away', async () => {
    http = aHttp({
      intercept: () => {
        throw new Error('the table is down');
      },
    });
    expect((await register(key)).status).toBe(503);
  });

  test('has no other paths: they want an environment’s secret', async () => {
    expect((await http.ask('/api/public/agent/status', { secret: key })).status).toBe(401);
    expect((await http.ask('/api/public/agent/status')).status).toBe(404);
  });

  test.each(['GET', 'PUT'])('is not answered to %s, whatever the key', async (method) => {
    for (const secret of [key, service.secrets.client.value, null]) {
      expect((await http.ask(REGISTER, { method, secret })).status).toBe(405);
    }
  });
});
