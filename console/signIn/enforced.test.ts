import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type LocalStack, startLocal } from '../../dev/emulator/emulator.ts';
import { OpenIdProvider } from '../../dev/local/openIdProvider.ts';
import { DECLARED_ISSUER, withIssuer } from '../../dev/local/signIn.ts';
import { readConfig } from '../../infra/config/config.ts';
import { synthesizedTemplates } from '../../infra/testing/synthesizedTemplates.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { openStore } from '../../shared/store/store.ts';
import { SdkClient } from '../../shared/store/table/table.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { API_PATH, TOKEN_HEADER } from '../api.ts';
import { recordPage } from '../page/recordedPage.ts';
import { RIGHTS, type Right } from '../rights.ts';
import { openProvider } from './provider.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

/*
 * The function of the console in the emulator, under the template's roles. What its own checks would let pass, IAM refuses.
 */

const [OWN, OTHER] = ['226b9bf8-4af3-4ffa-9b01-162270e4cd40', '226b9bf8-4af3-4ffa-9b01-162270e4cd41'] as const;
const signIn = {
  issuer: DECLARED_ISSUER,
  clientId: 'console',
  groupsClaim: 'groups',
  viewers: ['readers'],
  editors: { [OWN]: ['web'] },
  administrators: ['admins'],
};

process.env['POWERTOOLS_LOG_LEVEL'] ??= 'SILENT';
let issuer: OpenIdProvider;
let stack: LocalStack;
let client: SdkClient;
const logged: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'flagwire-console-'));

beforeAll(async () => {
  issuer = await OpenIdProvider.open();
  process.env['CONSOLE_PAGE'] = join(folder, 'page.json');
  writeFileSync(process.env['CONSOLE_PAGE'], recordPage({ html: '<body></body>', assets: new Map() }));
  const templates = withIssuer(synthesizedTemplates(readConfig({ console: { signIn } })), issuer.url);
  stack = await startLocal({ templates, log: (line) => logged.push(line) });
  client = new SdkClient({});
  const { environments } = openStore({ client, flags: stack.tables.flags }, systemEffects);
  for (const id of [OWN, OTHER]) await environments.create(`environment ${id}`, id);
});
afterAll(async () => {
  client.destroy();
  await stack.close();
  await issuer.close();
  delete process.env['CONSOLE_PAGE'];
  rmSync(folder, { recursive: true });
});

/** Sends requests in the name of a member of a group, as the page does. */
async function memberOf(group: string, person: object = {}) {
  const [origin = ''] = stack.furtherHttpUrls;
  const token = await issuer.sign({ ...issuer.person, ...person, groups: [group] });
  const { seal } = openProvider({ ...signIn, issuer: issuer.url }, undefined, origin, systemEffects.now);
  const own = {
    cookie: `__Host-session=${seal(token)}`,
    origin,
    'sec-fetch-site': 'same-origin',
    [TOKEN_HEADER]: 'signed-in',
  };
  return async (asked: string, body?: object) => {
    const [method = '', path = ''] = asked.split(' ');
    const json = body && { body: JSON.stringify(body) };
    const headers = { ...own, 'content-type': 'application/json' };
    const response = await fetch(`${origin}${API_PATH}${path}`, { method, headers, ...json });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
    return { status: response.status, json: (await response.json()) as any };
  };
}

/** A new flag in an environment, a new environment, and a new key. */
const CHANGES = {
  flag: (env: string) =>
    [
      `PUT environments/${env}/document`,
      { document: { kind: 'flag', document: aFlag({ key: `f${systemEffects.now()}` }) }, expectedVersion: null },
    ] as const,
  environment: () => ['POST environments', { name: `e${systemEffects.now()}` }] as const,
  key: (env: string) =>
    [`POST environments/${env}/secrets`, { name: `k${systemEffects.now()}`, type: 'server' }] as const,
};

describe('a person who is signed in', () => {
  test('reads as a viewer', async () => {
    const call = await memberOf('readers');
    expect((await call('GET environments')).status).toBe(200);
    expect((await call(`GET environments/${OTHER}`)).status).toBe(200);
    expect((await call(...CHANGES.flag(OWN))).status).toBe(403);
  });

  test('changes an environment as its editor, and is in its history as the one who signed in', async () => {
    const call = await memberOf('web');
    expect((await call(...CHANGES.flag(OWN))).status).toBe(200);
    const { history } = openStore({ client, flags: stack.tables.flags }, systemEffects);
    const signers: (readonly [string, string | undefined])[] = [];
    for await (const { by, signedBy } of history.changes(OWN)) signers.push([by, signedBy]);
    expect(signers).toEqual([[issuer.person['email'], issuer.person.sub]]);
  });

  test('does not change another environment behind a slash that API Gateway decodes', async () => {
    const call = await memberOf('web');
    for (const [slash, status] of [
      ['%2F', 403],
      ['%252F', 404],
    ]) {
      expect((await call(...CHANGES.flag(`${OWN}${slash}..${slash}${OTHER}`))).status).toBe(status);
    }
  });

  test('is not mixed up with others whose requests come at the same time', async () => {
    const persons = await Promise.all(
      ['ann', 'bob', 'cy'].map(async (sub) => [sub, await memberOf('web', { sub, email: `${sub}@x` })] as const),
    );
    const since = systemEffects.now();
    const write = async (n: number) => {
      const [sub = '', call] = persons[n % persons.length] ?? [];
      const document = { kind: 'flag', document: aFlag({ key: `of-${sub}-${n}` }) };
      return (await call?.(`PUT environments/${OWN}/document`, { document, expectedVersion: null }))?.status;
    };
    expect(new Set(await Promise.all(Array.from({ length: 9 }, (_, n) => write(n))))).toEqual(new Set([200]));
    const { history } = openStore({ client, flags: stack.tables.flags }, systemEffects);
    const authors: string[] = [];
    for await (const { at, by, signedBy, documents } of history.changes(OWN)) {
      if (at >= since) authors.push(...documents.map(({ id }) => `${by} ${signedBy} ${id.split('-')[1]}`));
    }
    expect(authors.sort()).toEqual(['ann', 'bob', 'cy'].flatMap((sub) => Array(3).fill(`${sub}@x ${sub} ${sub}`)));
  });

  test('changes environments and keys as an administrator', async () => {
    const call = await memberOf('admins');
    expect((await call(...CHANGES.environment())).status).toBe(200);
    expect((await call(...CHANGES.key(OTHER))).status).toBe(200);
  });
});

describe('if the table of rights allows everything', () => {
  const before = { ...RIGHTS };
  beforeAll(() => {
    for (const name of Object.keys(RIGHTS)) (RIGHTS as Record<string, Right>)[name] = 'viewer';
  });
  afterAll(() => {
    Object.assign(RIGHTS, before);
  });

  test.each([
    ['a flag to a viewer', 'readers', CHANGES.flag(OWN)],
    ['an environment to a viewer', 'readers', CHANGES.environment()],
    ['a flag of another environment to an editor', 'web', CHANGES.flag(OTHER)],
    ['an environment to an editor', 'web', CHANGES.environment()],
    ['a key to an editor', 'web', CHANGES.key(OWN)],
  ] as const)('IAM still refuses %s', async (_, group, change) => {
    logged.length = 0;
    const { status, json } = await (await memberOf(group))(change[0], change[1]);
    expect([status, json.error.code]).toEqual([403, 'permission-missing']);
    expect(logged.join()).toContain('is not authorized to perform: dynamodb:PutItem');
    // The person has no AWS keys.
    expect(JSON.stringify(json)).not.toMatch(/arn:|dynamodb/);
  });
});

test('the function uses its right to assume each role', () => {
  expect(stack.unusedGrants().filter((grant) => grant.includes(': sts:'))).toEqual([]);
});
