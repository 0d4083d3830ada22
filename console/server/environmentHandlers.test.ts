import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { Flag } from '../../shared/flags/flag.ts';
import { keys } from '../../shared/store/table/keys.ts';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { OTHER_ENVIRONMENTS } from '../elsewhere.ts';
import { aConsole } from '../testing/console.ts';

useTables();

let count = 0;
async function anEnvironment() {
  const console = aConsole();
  const { status, json } = await console.call('POST environments', { name: `shop ${++count}` });
  expect(status).toBe(200);
  return { console, id: json.environment.id as string, ...json };
}

describe('the flags of other environments', () => {
  const flag = (key: string, fields: Partial<Flag> = {}) =>
    ({ kind: 'flag', document: aFlag({ key, ...fields }) }) as const;

  test('have their states, without deleted flags and without those of the environment itself', async () => {
    const { console, id } = await anEnvironment();
    const other = await anEnvironment();
    await console.store.documents.import(id, [flag('own')]);
    const archived = flag('archived', { isArchived: true });
    const deleted = flag('deleted', { isArchived: true, isDeleted: true });
    await console.store.documents.import(other.id, [flag('on'), flag('off', { isEnabled: false }), archived, deleted]);
    const read = async () => (await console.call(`GET environments/${id}/elsewhere`)).json.others;
    const found = (await read()).find((each: { id: string }) => each.id === other.id);
    expect(Object.fromEntries(found.flags)).toEqual({ on: 'on', off: 'off', archived: 'archived' });
    expect((await read()).map((each: { id: string }) => each.id)).not.toContain(id);
    await console.store.documents.writeFlag(other.id, 'on', () => aFlag({ key: 'on', isEnabled: false }));
    expect((await read()).find((each: { id: string }) => each.id === other.id).flags).toContainEqual(['on', 'off']);
  });

  test('are read again only after a change, and from at most 20 environments', async () => {
    const { id } = await anEnvironment();
    for (let n = 0; n < OTHER_ENVIRONMENTS + 1; n++) await anEnvironment();
    let queries = 0;
    const console = aConsole({
      intercept: ({ name }, send) => {
        if (name === 'Query') queries += 1;
        return send();
      },
    });
    const read = async () => {
      queries = 0;
      const { others } = (await console.call(`GET environments/${id}/elsewhere`)).json;
      return [others.length, queries];
    };
    // One query lists the environments.
    expect(await read()).toEqual([OTHER_ENVIRONMENTS, OTHER_ENVIRONMENTS + 1]);
    expect(await read()).toEqual([OTHER_ENVIRONMENTS, 1]);
  });

  test('are left out of environments that cannot be read', async () => {
    const { id } = await anEnvironment();
    await anEnvironment();
    const console = aConsole({
      intercept: async ({ input }, send) => {
        if (JSON.stringify(input).includes('VERSION#')) throw new Error('denied');
        return send();
      },
    });
    expect(await console.call(`GET environments/${id}/elsewhere`)).toEqual({ status: 200, json: { others: [] } });
  });
});

describe('an environment', () => {
  test('is made with two secrets, which are seen this once', async () => {
    const { console, id, environment, secrets } = await anEnvironment();
    expect(environment).toMatchObject({ isProduction: false, historyDays: 365 });
    expect(secrets.map(({ type, value }: { type: string; value: string }) => [type, value.length])).toEqual([
      ['server', 44],
      ['client', 44],
    ]);
    const text = await (await console.request(`/console/api/environments/${id}`)).text();
    for (const { value, hint } of secrets) {
      expect(text).toContain(hint);
      expect(text).not.toContain(value);
    }
    expect(text).not.toMatch(/[0-9a-f]{64}/);
  });

  test('is listed, renamed and marked', async () => {
    const { console, id } = await anEnvironment();
    const name = `market ${count}`;
    const change = { name, isProduction: true, historyDays: 30 };
    expect((await console.call(`PATCH environments/${id}`, change)).json).toMatchObject({ id, ...change });
    expect((await console.call('GET environments')).json).toContainEqual({ id, name, isProduction: true });
  });

  test('is a conflict if its name exists, and not found if it does not exist', async () => {
    const { console, environment } = await anEnvironment();
    const again = await console.call('POST environments', { name: environment.name });
    expect([again.status, again.json.error.code]).toEqual([409, 'conflict']);
    expect((await console.call('POST environments', { name: ' ' })).status).toBe(400);
    const nowhere = 'b3a0c6c2-0000-4000-8000-0000000000ff';
    for (const path of [
      nowhere,
      `${nowhere}/history`,
      `${nowhere}/elsewhere`,
      `${nowhere}/live`,
      '%2e%2e',
      'ENV%23x',
    ]) {
      expect(await console.call(`GET environments/${path}`)).toMatchObject({ status: 404 });
    }
  });

  test('says how documents came that are older than it, and nothing about newer ones', async () => {
    const { console, id } = await anEnvironment();
    const imports = async () => (await console.call(`GET environments/${id}`)).json.imports;
    const old = { kind: 'flag', document: aFlag({ key: 'old', updatedAt: '2020-01-01T00:00:00.000Z' }) } as const;
    const newer = { kind: 'flag', document: aFlag({ key: 'new' }) } as const;
    await console.store.documents.import(id, [old]);
    const version = Date.parse('2020-01-01T00:00:00.000Z');
    const [first] = await imports();
    expect(first).toEqual({ previous: 0, version, at: expect.any(Number), command: expect.any(String) });
    expect(first.at).toBeGreaterThan(version);
    await console.store.documents.writeFlag(id, 'new', () => newer.document);
    // The entry after the environment was made is read too: an import may have begun before it.
    expect((await imports()).map(({ previous }: { previous: number }) => previous)).toEqual([version, 0]);
    await console.store.documents.writeFlag(id, 'old', () => ({ ...old.document, isEnabled: false }));
    expect(await imports()).toEqual([]);
  });

  test('shows a document that cannot be read, and all others', async () => {
    const { console, id } = await anEnvironment();
    const { store } = console;
    await store.documents.writeFlag(id, 'good', () => aFlag({ key: 'good' }));
    const Item = { ...keys.flag(id, 'bad'), kind: { S: 'flag' }, updatedAt: { N: '7' }, doc: { S: '{' } };
    await store.tables.client.send(new PutItemCommand({ TableName: store.tables.flags, Item }));
    const { documents, unreadable } = (await console.call(`GET environments/${id}`)).json;
    expect(documents).toHaveLength(1);
    expect(unreadable).toMatchObject([{ kind: 'flag', id: 'bad', version: 7, problems: [{ severity: 'error' }] }]);
  });
});

describe('a secret', () => {
  test('is made, replaced and revoked', async () => {
    const { console, id } = await anEnvironment();
    const path = `environments/${id}/secrets`;
    const made = (await console.call(`POST ${path}`, { name: 'phone', type: 'client' })).json;
    expect(made).toMatchObject({ name: 'phone', type: 'client', hint: made.value.slice(0, 4) });
    expect(made).not.toHaveProperty('hash');
    const rotated = (await console.call(`POST ${path}/${made.id}/rotate`, { graceMs: 0 })).json;
    expect(rotated.value).not.toBe(made.value);
    const revoked = (await console.call(`POST ${path}/${rotated.id}/revoke`, {})).json;
    expect(Date.parse(revoked.revokedAt)).toBeLessThanOrEqual(Date.now());
    expect((await console.call(`POST ${path}/nothing/revoke`, {})).status).toBe(404);
    expect((await console.call(`POST ${path}/${made.id}/rotate`, { graceMs: 1e12 })).status).toBe(400);
  });
});

describe('an environment that is marked as production', () => {
  test('is not changed before the operator confirmed', async () => {
    const { console, id } = await anEnvironment();
    await console.store.environments.change({ id }, { isProduction: true });
    const flag = { document: { kind: 'flag', document: aFlag({ key: 'f' }) }, expectedVersion: null };
    const requests: [string, object][] = [
      [`PUT environments/${id}/document`, flag],
      [`POST environments/${id}/undo`, { version: 1 }],
      [`PATCH environments/${id}`, { isProduction: false }],
      [`POST environments/${id}/secrets`, { name: 'x', type: 'client' }],
      [`POST environments/${id}/secrets/x/rotate`, { graceMs: 0 }],
      [`POST environments/${id}/secrets/x/revoke`, {}],
    ];
    for (const [request, body] of requests) {
      for (const confirm of [undefined, 'yes']) {
        const { status, json } = await console.call(request, { ...body, confirm });
        expect([request, status, json.error.code]).toEqual([request, 428, 'confirmation-required']);
      }
    }
    expect((await console.call(`GET environments/${id}`)).json.documents).toEqual([]);
    expect((await console.call(`PUT environments/${id}/document`, { ...flag, confirm: id })).status).toBe(200);
  });
});

test('refuses changes, undo and plans without a reason if the environment requires it', async () => {
  const { console, id } = await anEnvironment();
  expect((await console.call(`PATCH environments/${id}`, { requiresReason: true })).json.requiresReason).toBe(true);
  const flag = { document: { kind: 'flag', document: aFlag({ key: 'f' }) }, expectedVersion: null };
  const steps = [{ share: 1, at: '+1h' }];
  for (const [request, body] of [
    [`PUT environments/${id}/document`, flag],
    [`POST environments/${id}/copy`, { from: 'x', documents: [flag] }],
    [`PATCH environments/${id}/flags`, { edit: { kind: 'on' }, flags: [{ key: 'f', expectedVersion: 1 }] }],
    [`POST environments/${id}/undo`, { version: 1 }],
    [`POST environments/${id}/plans`, { ...flag, at: '+1h' }],
    [`POST environments/${id}/rollouts`, { flag: 'f', variationId: 'on', steps }],
  ] as const) {
    const { status, json } = await console.call(request, { ...body, remark: ' ' });
    expect([request, status, json.error.code]).toEqual([request, 428, 'reason-required']);
  }
  expect((await console.call(`GET environments/${id}`)).json).toMatchObject({
    documents: [],
    environment: { requiresReason: true },
  });
  expect((await console.call(`PUT environments/${id}/document`, { ...flag, remark: 'launch' })).status).toBe(200);
  expect((await console.call(`POST environments/${id}/secrets`, { name: 'x', type: 'client' })).status).toBe(200);
});
