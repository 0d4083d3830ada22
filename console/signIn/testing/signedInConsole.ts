import { afterAll, beforeAll } from '@jest/globals';
import { OpenIdProvider } from '../../../dev/local/openIdProvider.ts';
import type { SignInSettings } from '../../../shared/signIn/settings.ts';
import { openFlagReader } from '../../../shared/store/reader.ts';
import { database } from '../../../shared/store/testing/testStore.ts';
import { testSystemEffects } from '../../../shared/store/testing/testTables.ts';
import { API_PATH, SIGN_IN_PATH, TOKEN_HEADER } from '../../api.ts';
import { createLook } from '../../deployed/look.ts';
import type { BuiltPage } from '../../page/build.ts';
import { createConsole } from '../../server/app.ts';
import { openConsole } from '../../server/handlers.ts';
import { signedInAccess } from '../access.ts';
import { nameForAws } from '../assumeRole.ts';
import type { Person } from '../person.ts';
import { openProvider } from '../provider.ts';

export const ORIGIN = 'https://console.example';
const PAGE = { html: '<link href="style-1.css"><body><script src="main-1.js"></script>', assets: new Map() };
export const SHOP = '01234567-89ab-8def-a123-456789abcdef';

/** The issuer of the tests of a file. */
export function useIssuer(): { readonly it: OpenIdProvider } {
  let issuer: OpenIdProvider;
  beforeAll(async () => {
    issuer = await OpenIdProvider.open();
  });
  afterAll(() => issuer?.close());
  return {
    get it() {
      return issuer;
    },
  };
}

type Options = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string | undefined>> };

/** A deployed console on the tables of `useTables`, with the cookies of one browser. */
export function signedInConsole(
  issuer: OpenIdProvider,
  {
    now = Date.now,
    origin = ORIGIN,
    secret = 'a secret',
    buildPage = async (): Promise<BuiltPage> => PAGE,
    settings: more = {} as Partial<SignInSettings>,
  } = {},
) {
  const settings: SignInSettings = {
    issuer: issuer.url,
    clientId: issuer.clientId,
    groupsClaim: 'groups',
    nameClaim: 'email',
    viewers: ['readers'],
    editors: { [SHOP]: ['web team'] },
    administrators: ['admins'],
    sessionMinutes: 60,
    ...more,
  };
  const roles = { viewer: 'viewer', administrator: 'administrator', editors: { [SHOP]: 'editor' } };
  const { tables } = database.open(testSystemEffects);
  const opened: [person: Person, role: string][] = [];
  const changes: string[] = [];
  const provider = openProvider(settings, secret, origin, now);
  const made = createConsole({
    access: signedInAccess({
      settings,
      roles,
      now,
      origin,
      provider,
      open: async (person, role) => {
        opened.push([person, role]);
        const context = {
          version: '1.2.3',
          mode: 'aws',
          table: 'Flags',
          region: 'us-east-1',
          may: person.may,
          person: nameForAws(person.id),
        } as const;
        const author = async () => ({ by: person.name, signedBy: person.id });
        const readMetrics = async () => ({ windowMs: 900_000, syncs: 0, pushed: 0 });
        const look = createLook({ store: openFlagReader(tables), connections: undefined, readMetrics });
        const console = { look, tables, effects: testSystemEffects, context, author, keptSecrets: [] };
        return openConsole({ ...console, readGuards: async () => [] });
      },
      isAllowed: () => true,
      onChange: ({ name }, request, env) => changes.push(`${name} ${request} ${env}`),
    }),
    buildPage,
    log: () => {},
  });
  const cookies = new Map<string, string>();
  /** As the console's page sends it. `undefined` removes a header. */
  const request = async (path: string, { headers = {}, ...init }: Options = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const own = { cookie, origin: ORIGIN, 'sec-fetch-site': 'same-origin', [TOKEN_HEADER]: 'signed-in', ...headers };
    const sent = Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const response = await made.app.request(`${ORIGIN}${path}`, { ...init, headers: sent });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    ...made,
    cookies,
    opened,
    changes,
    request,
    seal: provider.seal,
    /** Gives the browser a session with this ID token. */
    setSession: (idToken: string) => cookies.set('__Host-session', provider.seal(idToken)),
    /** Sends an API request: `PUT environments/…`. */
    call: async (asked: string, body?: unknown) => {
      const [method = '', path = ''] = asked.split(' ');
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const headers = { 'content-type': 'application/json' };
      const response = await request(`${API_PATH}${path}`, { method, headers, ...json });
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
      return { status: response.status, json: (await response.json()) as any };
    },
    /** Signs in as the issuer's person. @param change changes what the provider answers */
    signIn: async (change: (answer: URLSearchParams) => void = () => {}): Promise<Response> => {
      const begun = await request(SIGN_IN_PATH);
      const answer = issuer.authorize(begun.headers.get('location') ?? '');
      change(answer);
      return request(`${SIGN_IN_PATH}/done?${answer}`, { headers: { 'sec-fetch-site': 'cross-site' } });
    },
  };
}
