import { beforeEach, describe, expect, test } from '@jest/globals';
import { formatSecret } from '../../shared/protocol/secret.ts';
import { SECRET_CACHE_MS } from '../../shared/store/environments/secretCache.ts';
import { hashSecret } from '../../shared/store/table/keys.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { database, output, service, useService } from '../testing/fixture.ts';
import { aService } from '../testing/service.ts';
import { aHttp, GUARDED, SERVER, type TestHttp } from './testing/http.ts';

useService();

let http: TestHttp;
let calls: string[];
beforeEach(() => {
  http = aHttp({
    intercept: ({ name }, send) => {
      calls.push(name);
      return send();
    },
  });
  calls = [];
});

const unknownSecret = (envId: string) => formatSecret('6e1b2d4f-0000-4000-8000-000000000002', envId);
const refusals = () => output.lines().filter(({ message }) => message === 'request refused');

describe.each(GUARDED)('%s', (path, method, body) => {
  const ask = (secret: string | null) => http.ask(path, { method, body, secret });

  test.each([
    ['is missing', () => null],
    ['is empty', () => ''],
    ['is of another length', (secret: string) => secret.slice(1)],
    ['has a scheme before it', (secret: string) => `Bearer ${secret}`],
    ['was sent twice', (secret: string) => `${secret}, ${secret}`],
    ['is 44 letters that name no environment', () => '!'.repeat(44)],
    ['has blanks in the place of letters', (secret: string) => secret.slice(0, 40) + ' '.repeat(3).padEnd(4, 'A')],
    ['goes on for 8 KB', (secret: string) => secret.padEnd(8_192, 'A')],
  ])('answers a secret that %s with 401 and the reason, and asks no table', async (_, change) => {
    const response = await ask(change(service.secrets.server.value));
    expect([response.status, await response.json()]).toEqual([401, { message: 'missing or malformed secret' }]);
    expect(calls).toEqual([]);
    expect(refusals()).toEqual([expect.objectContaining({ level: 'INFO', path, reason: expect.any(String) })]);
  });

  test('answers a secret that nobody issued with 403 and the reason', async () => {
    const response = await ask(unknownSecret(service.envId));
    expect([response.status, await response.json()]).toEqual([403, { message: 'unknown or revoked secret' }]);
  });

  test('answers a secret that was moved to another environment with 403', async () => {
    const moved = service.secrets.server.value.slice(0, 22) + unknownSecret(crypto.randomUUID()).slice(22);
    expect((await ask(moved)).status).toBe(403);
  });

  test('answers a revoked secret with 403 as soon as what is remembered of it ends', async () => {
    const { store, effects, envId, secrets } = service;
    const { record, value } = secrets.server;
    expect((await ask(value)).status).toBe(200);
    await store.secrets.revoke(envId, record.id);
    effects.clock.now += SECRET_CACHE_MS;
    const response = await ask(value);
    expect([response.status, await response.json()]).toEqual([403, { message: 'unknown or revoked secret' }]);
  });

  test('names a secret neither in its answer nor in the log', async () => {
    const { secrets, envId } = service;
    const told = [secrets.server.value, secrets.client.value, unknownSecret(envId), `Bearer ${secrets.server.value}`];
    const answers = await Promise.all(told.map(async (secret) => (await ask(secret)).text()));
    for (const secret of [...told, secrets.server.value]) {
      for (const part of [secret, secret.slice(0, 22), hashSecret(secret)]) {
        expect(output.text()).not.toContain(part);
        expect(answers.join()).not.toContain(part);
      }
    }
  });
});

test('refusals by the thousand, each of a long path, are a few short lines and a count', async () => {
  const path = `/${'%0a%e2%80%ae'.repeat(1_000)}`;
  const refuse = () => http.ask(path, { secret: null });
  for (const { status } of await Promise.all(Array.from({ length: 1_000 }, refuse))) expect(status).toBe(401);
  expect(refusals()).toHaveLength(10);
  expect(output.text().length).toBeLessThan(20_000);
  expect(refusals()[0]?.['path']).toMatch(/^\/\\u\{a\}\\u\{202e\}.*… \(\d+ characters\)$/);
  service.effects.clock.now += 60_000;
  await refuse();
  expect(output.lines()).toContainEqual(
    expect.objectContaining({ level: 'INFO', kind: 'request refused', count: 990 }),
  );
});

test('server documents are for server secrets only; all else is for either type', async () => {
  const { client, server } = service.secrets;
  for (const [path, method, body] of GUARDED) {
    const statuses = [client, server].map(
      async ({ value }) => (await http.ask(path, { method, body, secret: value })).status,
    );
    expect([path, ...(await Promise.all(statuses))]).toEqual([path, path === SERVER ? 403 : 200, 200]);
  }
  const refused = await http.ask(SERVER, { secret: client.value });
  expect(await refused.json()).toEqual({ message: 'not a server secret' });
});

test('an environment sees nothing of another', async () => {
  const other = await aService(database);
  const { store, envId } = other;
  await store.documents.writeFlag(envId, 'theirs', () => aFlag({ key: 'theirs' }));
  for (const [path, method, body] of GUARDED.slice(0, 3)) {
    const textFor = async (secret: string) => (await http.ask(path, { method, body, secret })).text();
    expect(await textFor(other.secrets.server.value)).toContain('theirs');
    expect(await textFor(service.secrets.server.value)).not.toContain('theirs');
  }
});
