import { describe, expect, test } from '@jest/globals';
import type { SignInSettings } from '../../shared/signIn/settings.ts';
import type { Right } from '../rights.ts';
import { leastRole, personIn } from './person.ts';

const [SHOP, DOCS] = ['01234567-89ab-8def-a123-456789abcdef', '11234567-89ab-8def-a123-456789abcdef'];

const settings: SignInSettings = {
  issuer: 'https://issuer.example',
  clientId: 'console',
  groupsClaim: 'groups',
  nameClaim: 'email',
  viewers: ['readers'],
  editors: { [SHOP]: ['web team'], [DOCS]: ['writers', 'web team'] },
  sessionMinutes: 60,
  administrators: ['admins'],
};

const may = (groups: unknown, more: Partial<SignInSettings> = {}) =>
  personIn({ sub: 'ann-1', groups }, { ...settings, ...more }).may;

describe('the groups of a token', () => {
  test.each<[string, unknown, object]>([
    ['a viewer', ['others', 'readers'], { edit: [], administer: false }],
    ['an editor of two environments', ['web team'], { edit: [SHOP, DOCS], administer: false }],
    ['an editor of one', ['writers'], { edit: [DOCS], administer: false }],
    ['an administrator', ['admins', 'writers'], { edit: [DOCS], administer: true }],
    ['an administrator, in one text', 'admins', { edit: [], administer: true }],
  ])('make a person %s', (_, groups, expected) => {
    expect(may(groups)).toEqual(expected);
  });

  test.each<[unknown]>([
    [['x admins']],
    [['admins2']],
    [['Admins']],
    [['admins ']],
    [['ADMINS']],
    [['ad\u200bmins']],
    [['admins\u0000']],
    [['ａdmins']],
    [['/admins']],
    [['x,admins']],
    ['[x, admins]'],
    ['[admins]'],
    ['x admins'],
    ['admins,x'],
    ['["admins"]'],
    [[['admins']]],
    [[{ admins: true }]],
    [{ admins: true }],
    [{ 0: 'admins', length: 1 }],
    [[]],
    [''],
    [['']],
    [['*']],
    ['*'],
    [null],
    [true],
    [undefined],
  ])('give no access if they are %j', (groups) => {
    expect(() => may(groups)).toThrow('has no access');
  });

  test('do not matter for viewers if everybody may view', () => {
    expect(may([], { viewers: ['*'] })).toEqual({ edit: [], administer: false });
    expect(() => may(['readers'], { viewers: [], editors: { [SHOP]: ['*'] }, administrators: ['*'] })).toThrow();
    expect(() => may(['*'], { viewers: [], editors: { [SHOP]: ['*'] }, administrators: ['*'] })).toThrow();
  });

  test('are in the message of a person without access, with the settings', () => {
    const groups = ['Readers', '<b>', ...Array.from({ length: 60 }, (_, n) => `group ${n}`)];
    expect(() => may(groups)).toThrow(
      /^ann-1 is signed in, but has no access\. The token has these groups: "Readers", "<b>", "group 0", .*"group 47", 12 more\. Ask those who deploy this console to name one of your groups exactly in console\.signIn\.viewers, editors or administrators/,
    );
    expect(() => may(undefined)).toThrow('The token has no group in the claim "groups".');
  });

  test.each(['constructor', '__proto__', 'toString'])(
    'are not found in the claim %s of every object',
    (groupsClaim) => {
      expect(() => may(['admins'], { groupsClaim })).toThrow('has no access');
    },
  );

  test('may be an address, if the provider has verified it', () => {
    const google = { ...settings, groupsClaim: 'email', administrators: ['ann@shop.example'] };
    const person = (verified: unknown, email: unknown = 'ann@shop.example') =>
      personIn({ sub: '1', email, email_verified: verified }, google);
    expect(person(true).may.administer).toBe(true);
    // Some providers send a text.
    expect(person('true').may.administer).toBe(true);
    for (const verified of [false, 'false', undefined, null, 1]) expect(() => person(verified)).toThrow('no access');
    expect(() => person(false, ['ann@shop.example'])).toThrow('no access');
  });
});

test('a person is named by a verified address, or else by the id', () => {
  const name = (claims: object) => personIn({ sub: 'ann-1', groups: ['readers'], ...claims }, settings).name;
  expect(name({ email: 'ann@shop.example', email_verified: true })).toBe('ann@shop.example');
  expect(name({ email: 'root@shop.example' })).toBe('ann-1');
  expect(name({ email: 'root@shop.example', email_verified: false })).toBe('ann-1');
  expect(name({ email: { name: 'root' }, email_verified: true })).toBe('ann-1');
});

test('a name has no characters that mislead a reader, and at most 200 others', () => {
  const name = (claims: object, sub = 'ann-1') =>
    personIn({ sub, groups: ['readers'], ...claims }, { ...settings, nameClaim: 'name' }).name;
  expect(name({ name: 'a\u202enn\u0007\u200b\n' })).toBe('a\\u{202e}nn\\u{7}\\u{200b}\\u{a}');
  expect(name({}, 'ann\u202e')).toBe('ann\\u{202e}');
  expect(name({ name: 'Änne 李' })).toBe('Änne 李');
  expect(name({ name: 'x'.repeat(201) })).toBe(`${'x'.repeat(200)}… (201 characters)`);
  expect(() => personIn({ sub: 'a\u202e', groups: [] }, settings)).toThrow('a\\u{202e} is signed in');
});

describe('the role of a request', () => {
  const roles = { viewer: 'V', administrator: 'A', editors: { [SHOP]: 'E-shop', [DOCS]: 'E-docs' } };
  const choose = (groups: string[], needed: Right, env = '', known: Parameters<typeof leastRole>[1] = roles) =>
    leastRole(personIn({ sub: '1', groups }, settings), known, needed, env);

  test.each<[string[], Right, string, string]>([
    [['readers'], 'viewer', SHOP, 'V'],
    [['writers'], 'viewer', SHOP, 'V'],
    [['writers'], 'editor', DOCS, 'E-docs'],
    [['web team'], 'editor', SHOP, 'E-shop'],
    [['admins', 'web team'], 'viewer', '', 'V'],
    [['admins', 'web team'], 'editor', SHOP, 'E-shop'],
    [['admins'], 'editor', SHOP, 'A'],
    [['admins'], 'administrator', '', 'A'],
  ])('is the least that %j have for %s of "%s": %s', (groups, needed, env, arn) => {
    expect(choose(groups, needed, env)).toBe(arn);
  });

  test.each<[string[], Right, string]>([
    [['readers'], 'editor', SHOP],
    [['readers'], 'administrator', ''],
    [['writers'], 'editor', SHOP],
    [['writers'], 'editor', DOCS.toUpperCase()],
    [['writers'], 'editor', `${DOCS}/`],
    [['writers'], 'editor', ` ${DOCS}`],
    [['writers'], 'editor', '__proto__'],
    [['writers'], 'editor', ''],
    [['writers'], 'administrator', DOCS],
  ])('does not exist if %j ask for %s of "%s"', (groups, needed, env) => {
    expect(() => choose(groups, needed, env)).toThrow(/^you are signed in without the right to change/);
  });

  test('is another one that suffices if there is none for viewers', () => {
    const known = { administrator: 'A', editors: { [DOCS]: 'E-docs' } };
    expect(choose(['writers'], 'viewer', '', known)).toBe('E-docs');
    expect(choose(['admins'], 'viewer', '', known)).toBe('A');
    expect(() => choose(['readers'], 'viewer', '', known)).toThrow('without the right to see this console');
  });
});
