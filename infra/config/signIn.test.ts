import { describe, expect, test } from '@jest/globals';
import { readConfig } from './config.ts';
import type { Settings } from './settingsSchema.ts';
import { signInSettings } from './signIn.ts';

const ID = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
type SignIn = NonNullable<Settings['console']>['signIn'];
const signIn: SignIn = { issuer: 'https://shop.okta.com', clientId: '0oa1', viewers: ['readers'] };
const read = (changes: Partial<SignIn>, settings: Settings = {}) =>
  readConfig({ ...settings, console: { signIn: { ...signIn, ...changes } } }).console?.signIn;

describe('settings of the sign-in', () => {
  test('are off by default, and have defaults', () => {
    expect(readConfig().console).toBeUndefined();
    expect(read({})).toEqual({
      ...signIn,
      groupsClaim: 'groups',
      nameClaim: 'email',
      editors: {},
      administrators: [],
      sessionMinutes: 60,
    });
  });

  test.each<[Partial<SignIn>, string]>([
    [
      { issuer: 'http://shop.okta.com' },
      'console.signIn.issuer=http://shop.okta.com cannot be used: an issuer is the https',
    ],
    [{ issuer: 'https://me@shop.okta.com' }, 'an issuer is the https'],
    [{ issuer: 'https://shop.okta.com/?x=1' }, 'an issuer is the https'],
    ...[
      'common/v2.0',
      '/common',
      './common',
      '%63ommon',
      'organizations',
      'Consumers/v2.0',
      '9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
    ].map((tenant): [Partial<SignIn>, string] => [
      { issuer: `https://login.microsoftonline.com/${tenant}` },
      'it admits accounts of other organizations. Name your tenant: https://login.microsoftonline.com/<tenant id>/v2.0',
    ]),
    [{ viewers: [] }, 'console.signIn admits nobody: name a group in viewers, editors or administrators'],
    [{ administrators: ['*'] }, 'console.signIn.administrators=["*"] cannot be used: "*" is for viewers only'],
    [{ editors: { [ID]: ['*'] } }, '"*" is for viewers only'],
    [{ editors: { [ID]: [] } }, 'name at least one group, or leave the environment out'],
    [{ editors: { shop: ['web'] } }, 'names the environment shop, which is not one of environments (none)'],
    [{ viewers: ['*'], issuer: 'https://accounts.google.com' }, 'set groupsClaim=email, and name addresses'],
    [{ viewers: ['*'], issuer: 'https://Accounts.Google.com' }, 'set groupsClaim=email, and name addresses'],
    [{ viewers: [''] }, 'a group has a name'],
    [{ clientSecret: 'a b' }, 'the name of a secret in Secrets Manager'],
    [{ sessionMinutes: 0 }, 'console.signIn.sessionMinutes=0'],
    [{ viewers: Array.from({ length: 40 }, (_, n) => `${n}`.padEnd(80, 'x')) }, 'the limit is 3072. Name fewer groups'],
  ])('are refused where they admit too many or nobody: %j', (changes, message) => {
    expect(() => read(changes)).toThrow(message);
  });

  test('count the roles of environments, which share the function’s 4 KB', () => {
    const ids = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${ID.slice(0, -2)}${n + 10}`, ['web']]));
    expect(read({ editors: ids(12) })).toBeDefined();
    expect(() => read({ editors: ids(13) })).toThrow(/with the roles of 13 environments/);
  });

  test.each([
    'https://login.microsoftonline.com/8c9f/v2.0',
    'https://shop.eu.auth0.com/',
    'https://id.example.com/realms/common',
  ])('accept the issuer %s', (issuer) => {
    expect(read({ issuer })).toMatchObject({ issuer });
  });

  test('require the provider', () => {
    expect(() => readConfig({ console: {} as never })).toThrow('console.signIn is missing: ');
  });
});

describe('the settings of the function', () => {
  const editors = { Production: ['web'], [ID.toUpperCase()]: ['ops'] };
  const settings = () => {
    const read_ = read({ editors, clientSecret: 'flagwire/okta' }, { environments: ['Production'] });
    if (!read_) throw new Error('there are no settings');
    return read_;
  };

  test('name environments by their ids, in lower case, and no secret', () => {
    const found = signInSettings(settings(), (name) => (name === 'Production' ? ID.replace('226b', '0000') : name));
    expect(found.editors).toEqual({ [ID.replace('226b', '0000')]: ['web'], [ID]: ['ops'] });
    expect(JSON.stringify(found)).not.toContain('okta"');
  });

  test('refuse an environment that is named by its name and its id', () => {
    expect(() => signInSettings(settings(), () => ID)).toThrow('names an environment twice');
  });
});
