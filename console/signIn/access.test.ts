import { beforeEach, describe, expect, test } from '@jest/globals';
import { newEnvironment, store, useStore } from '../../shared/store/testing/testStore.ts';
import { testSystemEffects } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { RIGHTS } from '../rights.ts';
import { SHOP, signedInConsole, useIssuer } from './testing/signedInConsole.ts';

useStore(testSystemEffects);
const issuer = useIssuer();

let other: string;
beforeEach(async () => {
  other = await newEnvironment();
  if (!(await store.environments.list()).some(({ id }) => id === SHOP)) await store.environments.create('shop', SHOP);
});

/** A console where a member of these groups has signed in. */
async function consoleOf(...groups: string[]) {
  issuer.it.person = { sub: 'ann-1', email: 'ann@shop.example', email_verified: true, groups };
  const console = signedInConsole(issuer.it);
  await console.signIn();
  return console;
}

const write = (env: string, key = 'f') =>
  [
    `PUT environments/${env}/document`,
    { document: { kind: 'flag', document: aFlag({ key }) }, expectedVersion: null },
  ] as const;

test('a viewer reads with the viewer’s role, and changes nothing', async () => {
  const console = await consoleOf('readers');
  expect((await console.call(`GET environments/${SHOP}`)).status).toBe(200);
  const writes = Object.keys(RIGHTS).filter((name) => !name.startsWith('GET '));
  for (const name of writes) {
    const filled = name.replace(':env', SHOP).replace(/:\w+/, 'x');
    expect(await console.call(filled, {})).toMatchObject({ status: 403, json: { error: { code: 'no-access' } } });
  }
  expect(new Set(console.opened.map(([, role]) => role))).toEqual(new Set(['viewer']));
  expect(console.changes).toEqual([]);
});

test('an editor changes flags of the environment, with the person’s name in history and log', async () => {
  const console = await consoleOf('web team');
  expect((await console.call(...write(SHOP))).status).toBe(200);
  expect(console.opened.map(([, role]) => role)).toEqual(['editor']);
  expect(console.changes).toEqual([`ann@shop.example PUT environments/:env/document ${SHOP}`]);
  const history = await console.call(`GET environments/${SHOP}/history`);
  expect(history.json.changes[0]).toMatchObject({ by: 'ann@shop.example', signedBy: 'ann-1' });
});

describe('an editor does not change', () => {
  test.each<[string, () => string, status?: number]>([
    ['another environment', () => other, 403],
    ['the own one in capitals', () => SHOP.toUpperCase()],
    ['the own one by name', () => 'shop'],
    ['the own one with a slash', () => `${SHOP}%2F`],
    ['the own one with a slash that is encoded twice', () => `${SHOP}%252F`],
    ['the own one with an end that a database may ignore', () => `${SHOP}%00`],
    ['the own one with a parameter', () => `${SHOP};x`],
    ['both', () => `${SHOP},${other}`],
    ['another one through the own one', () => `${SHOP}%2F..%2F${other}`],
    ['another one behind the own one', () => `${SHOP}/../${other}`, 403],
  ])('%s', async (_, env, status = 404) => {
    const console = await consoleOf('web team');
    expect((await console.call(...write(env()))).status).toBe(status);
    expect(console.opened).toEqual([]);
  });

  test('settings and keys', async () => {
    const console = await consoleOf('web team');
    for (const request of [`PATCH environments/${SHOP}`, `POST environments/${SHOP}/secrets`, 'POST environments']) {
      expect((await console.call(request, { name: 'x' })).status).toBe(403);
    }
  });
});

test('an administrator creates an environment and its keys', async () => {
  const console = await consoleOf('admins');
  const created = await console.call('POST environments', { name: 'made by ann' });
  expect(created.status).toBe(200);
  const { id } = created.json.environment;
  expect((await console.call(`POST environments/${id}/secrets`, { name: 'x', type: 'server' })).status).toBe(200);
  expect(console.opened.map(([, role]) => role)).toEqual(['administrator', 'administrator']);
});

test('a person who was removed from a group edits until the token ends, and not after a refresh', async () => {
  const console = await consoleOf('web team');
  issuer.it.person = { ...issuer.it.person, groups: ['readers'] };
  expect((await console.call(...write(SHOP, 'before'))).status).toBe(200);
  expect((await console.request('/sign-in/refresh', { method: 'POST' })).status).toBe(200);
  expect((await console.call(...write(SHOP, 'after'))).status).toBe(403);
});

test('a person without access gets the groups and the setting, and can sign out', async () => {
  const console = await consoleOf('Admins');
  expect(await console.call('GET context')).toMatchObject({
    status: 403,
    json: { error: { code: 'no-access', message: expect.stringMatching(/these groups: "Admins".*console\.signIn/s) } },
  });
  expect((await console.request('/sign-out', { method: 'POST' })).status).toBe(200);
});

test('the page gets the rights of the person', async () => {
  const console = await consoleOf('web team', 'readers');
  expect((await console.call('GET context')).json.may).toEqual({ edit: [SHOP], administer: false });
});
