import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { transform } from 'esbuild';
import { repositoryRoot } from '../../../infra/repository.ts';
import { VARIATION_TYPES, type VariationType } from '../../../shared/flags/flag.ts';
import { SNIPPET_NAMES, type SnippetName, snippetFor } from './snippets.ts';

const values = {
  streamingUrl: 'ws://127.0.0.1:5100',
  httpUrl: 'http://127.0.0.1:5100',
  clientKey: 'the-client-key',
  serverKey: 'the-server-key',
  flagKey: 'my.flag',
  flagType: 'boolean' as VariationType,
};
const snippet = (name: SnippetName, changed = {}) => snippetFor(name, { ...values, ...changed }).code;

test('each holds the address, the key of its type and the flag', () => {
  for (const name of SNIPPET_NAMES) {
    const isClient = ['Browser', 'React', 'OpenFeature web'].includes(name);
    const code = snippet(name);
    expect([name, code.includes(values.httpUrl), code.includes('my.flag')]).toEqual([name, true, true]);
    expect([name, code.includes('the-client-key'), code.includes('the-server-key')]).toEqual([
      name,
      isClient,
      !isClient,
    ]);
  }
});

/** The call of each SDK that knows types, with its default. */
const CALLS: Readonly<Partial<Record<SnippetName, Readonly<Record<VariationType, string>>>>> = {
  Node: {
    boolean: "client.boolVariation('my.flag', user, false)",
    string: "client.stringVariation('my.flag', user, '')",
    number: "client.numberVariation('my.flag', user, 0)",
    json: "client.jsonVariation('my.flag', user, {})",
  },
  Browser: {
    boolean: "client.boolVariation('my.flag', false)",
    string: "client.stringVariation('my.flag', '')",
    number: "client.numberVariation('my.flag', 0)",
    json: "client.jsonVariation('my.flag', {})",
  },
  React: {
    boolean: "{String(useFlags()['my.flag'])}",
    string: "{String(useFlags()['my.flag'])}",
    number: "{String(useFlags()['my.flag'])}",
    json: "{JSON.stringify(useFlags()['my.flag'])}",
  },
  Python: {
    boolean: "client.variation('my.flag', user, default=False)",
    string: "client.variation('my.flag', user, default='')",
    number: "client.variation('my.flag', user, default=0)",
    json: "client.variation('my.flag', user, default={})",
  },
  Go: {
    boolean: 'client.BoolVariation("my.flag", user, false)',
    string: 'client.Variation("my.flag", user, "")',
    number: 'client.DoubleVariation("my.flag", user, 0.0)',
    json: 'client.JsonVariation("my.flag", user, map[string]interface{}{})',
  },
  Java: {
    boolean: 'client.boolVariation("my.flag", user, false)',
    string: 'client.variation("my.flag", user, "")',
    number: 'client.doubleVariation("my.flag", user, 0.0)',
    json: 'client.jsonVariation("my.flag", user, Object.class, Map.of())',
  },
  '.NET': {
    boolean: 'client.BoolVariation("my.flag", user, defaultValue: false)',
    string: 'client.StringVariation("my.flag", user, defaultValue: "")',
    number: 'client.DoubleVariation("my.flag", user, defaultValue: 0)',
    json: 'client.StringVariation("my.flag", user, defaultValue: "{}")',
  },
  'OpenFeature server': {
    boolean: "client.getBooleanValue('my.flag', false, {",
    string: "client.getStringValue('my.flag', '', {",
    number: "client.getNumberValue('my.flag', 0, {",
    json: "client.getObjectValue('my.flag', {}, {",
  },
  'OpenFeature web': {
    boolean: "client.getBooleanValue('my.flag', false)",
    string: "client.getStringValue('my.flag', '')",
    number: "client.getNumberValue('my.flag', 0)",
    json: "client.getObjectValue('my.flag', {})",
  },
};

test('each SDK but curl, which gets every type alike, has a call for each type', () => {
  expect(SNIPPET_NAMES.filter((name) => !(name in CALLS))).toEqual(['curl']);
});

describe.each(Object.keys(CALLS) as SnippetName[])('the snippet for %s', (name) => {
  test.each(VARIATION_TYPES)('asks for a flag of type %s with the call and the default of that type', (flagType) => {
    expect(snippet(name, { flagType })).toContain(CALLS[name]?.[flagType]);
  });
});

/** Headings of docs/sdks.md that are not what a tab is called. */
const HEADINGS: Readonly<Partial<Record<SnippetName, string>>> = {
  'OpenFeature server': 'OpenFeature on a server',
  'OpenFeature web': 'OpenFeature in a browser',
};

test('docs/sdks.md sets the keys and URLs that its snippets use, in each language', () => {
  const blocksIn = (text: string) => [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)];
  const page = readFileSync(join(repositoryRoot, 'docs/sdks.md'), 'utf8');
  const [before = '', section = ''] = page.split('### Variables\n');
  const [variables = '', ...snippets] = section.split('\n### ');
  const set = new Map(blocksIn(variables).map(([, language = '', code = '']) => [language, code]));
  expect([...set.keys()]).toEqual(['js', 'python', 'go', 'java', 'csharp']);
  for (const [, language = '', code = ''] of blocksIn([before, ...snippets].join('\n'))) {
    const names = code.match(/\b(server|client|streaming|events|polling)(Key|Url|_key|_url)\b/g) ?? [];
    for (const name of names) expect(set.get(language === 'jsx' ? 'js' : language)).toContain(name);
  }
});

/** A snippet with the variables of docs/sdks.md in place of texts. */
function asInDocs(name: SnippetName): string {
  const texts = {
    streamingUrl: 'streamingUrl',
    serverKey: 'serverKey',
    clientKey: 'clientKey',
    flagKey: 'new-checkout',
  };
  const httpUrl = name.startsWith('OpenFeature') ? 'pollingUrl' : 'eventsUrl';
  const code = snippet(name, { ...texts, httpUrl });
  const inCase = (variable: string) =>
    name === 'Python' ? variable.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : variable;
  return code.replaceAll(/(['"])(Bearer )?(\w+(?:Url|Key))\1/g, (_, _quote, bearer, variable) =>
    bearer ? `\`${bearer}\${${variable}}\`` : inCase(variable),
  );
}

test.each(Object.keys(CALLS) as SnippetName[])('docs/sdks.md has the snippet for %s, and installs the same', (name) => {
  const page = readFileSync(join(repositoryRoot, 'docs/sdks.md'), 'utf8');
  const section = page.split(`### ${HEADINGS[name] ?? name}\n`)[1]?.split('\n#')[0] ?? '';
  const [, code] =
    section
      .split('```')
      .at(-2)
      ?.split(/^\w+\n/) ?? [];
  expect(code).toBe(`${asInDocs(name)}\n`);
  expect(section).toContain(snippetFor(name, values).install);
});

test.each(Object.keys(CALLS) as SnippetName[])('prints the value and follows changes, for %s', (name) => {
  const code = snippet(name);
  expect(code).toMatch(/console\.log|<h1>|print\(|Println|println|WriteLine/);
  expect(code).toMatch(/\.on\('update:|useFlags|_listener\(|Listener\(|Sleep|setInterval|addHandler/);
});

test.each(['Node', 'Browser', 'React', 'OpenFeature server', 'OpenFeature web'] as const)(
  'writes valid JavaScript for %s with any text and type',
  async (name) => {
    for (const flagType of VARIATION_TYPES) {
      const code = snippet(name, { serverKey: "a'b\\", clientKey: "a'b\\", flagType });
      await expect(transform(code, { loader: 'jsx' })).resolves.toBeDefined();
    }
  },
);

test('writes one shell command for curl with any text', () => {
  const code = snippet('curl', { serverKey: `it's "$(id)"` }).replace(/^curl/, 'printf "%s\\n"');
  expect(execFileSync('sh', ['-c', code], { encoding: 'utf8' }).split('\n')).toContain(
    `Authorization: Bearer it's "$(id)"`,
  );
});
