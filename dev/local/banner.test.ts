import { describe, expect, test } from '@jest/globals';
import { formatSecret } from '../../shared/protocol/secret.ts';
import { awsProfiles } from '../emulator/awsProfiles.ts';
import { type BannerFacts, banner } from './banner.ts';

const ENV = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const keys = {
  client: formatSecret('00000000-0000-4000-8000-000000000001', ENV),
  server: formatSecret('00000000-0000-4000-8000-000000000002', ENV),
};
const facts: BannerFacts = {
  keys,
  environment: 'development',
  flagKey: 'new-checkout',
  flagType: 'boolean',
  aws: awsProfiles['new-account'],
  streamingUrl: 'ws://127.0.0.1:65535',
  httpUrl: 'http://127.0.0.1:65535',
  consoleUrl: 'http://127.0.0.1:65535/console/#token=t',
  network: undefined,
  hostNames: [],
  lambdaVariables: '/home/ann/flag wire/.flagwire/lambda.sh',
  data: '.flagwire',
};
const text = banner(facts);

/** The values of a row. */
const rowsOf = (shown: string, label: string) =>
  shown
    .split('\n')
    .filter((line) => line.startsWith(`  ${label}  `))
    .map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .slice(1),
    );

/** The indented lines below a heading. */
function snippetOf(shown: string, heading: string): string {
  const lines = shown.split('\n');
  const rest = lines.slice(lines.findIndex((line) => line.startsWith(heading)) + 2);
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('  ')),
    )
    .join('\n');
}

describe('the banner', () => {
  test('ends with the console with sign-in, if there is one', () => {
    expect(
      banner({ ...facts, signInUrl: 'http://127.0.0.1:1' })
        .trim()
        .split('\n')
        .at(-1),
    ).toBe('Console with sign-in, for everybody on this machine: http://127.0.0.1:1/console/');
    expect(text).not.toContain('sign-in');
  });

  test('fits under a screen', () => {
    expect(text.split('\n').length).toBeLessThan(30);
  });

  test('shows the addresses of a front door', () => {
    const frontDoor = { streamingUrl: 'ws://127.0.0.1:5101', httpUrl: 'http://127.0.0.1:5101' };
    const shown = banner({ ...facts, frontDoor });
    expect(rowsOf(shown, 'front door')).toEqual([['ws://127.0.0.1:5101', 'http://127.0.0.1:5101']]);
    expect(rowsOf(text, 'front door')).toEqual([]);
  });

  test('connects the snippet to the front door', () => {
    const frontDoor = { streamingUrl: 'ws://127.0.0.1:5101', httpUrl: 'http://127.0.0.1:5101' };
    for (const network of [undefined, ['192.168.1.20:65535']]) {
      const snippet = snippetOf(banner({ ...facts, frontDoor, network }), 'In another folder');
      expect(snippet).toContain("streamingUri('ws://127.0.0.1:5101')");
      expect(snippet).toContain("eventsUri('http://127.0.0.1:5101')");
    }
  });

  test('says where to connect, and with which key', () => {
    expect(rowsOf(text, 'streaming')).toEqual([[facts.streamingUrl]]);
    expect(rowsOf(text, 'HTTP')).toEqual([[facts.httpUrl]]);
    expect(rowsOf(text, 'client key')).toEqual([[keys.client]]);
    expect(rowsOf(text, 'server key')).toEqual([[keys.server]]);
  });

  test('says which account it emulates, if that is not the default', () => {
    expect(rowsOf(text, 'AWS account')).toEqual([[expect.stringMatching(/^new-account: 10 concurrent Lambda /)]]);
    expect(banner({ ...facts, aws: awsProfiles.default })).not.toContain('AWS account');
  });

  test('has a snippet for Node with the server key, which prints a value once', () => {
    const snippet = snippetOf(text, 'In another folder');
    expect(snippet).toContain("from '@featbit/node-server-sdk'");
    expect(snippet).toContain(`sdkKey('${keys.server}')`);
    expect(snippet).toContain(`streamingUri('${facts.streamingUrl}')`);
    expect(snippet).toContain(`eventsUri('${facts.httpUrl}')`);
    expect(snippet).not.toContain(keys.client);
    expect(text).toContain('In another folder, first run: npm install @featbit/node-server-sdk\n');
    // The SDK reports its first data as an update.
    expect(snippet.indexOf('waitForInitialization')).toBeLessThan(snippet.indexOf("on('update:"));
  });

  test('names the page for browsers, with the token by which it flips the flag', () => {
    expect(text).toContain(`Browser SDK: open ${facts.httpUrl}/try#token=t\n`);
  });

  test('names the page for code in Lambda, and the file with its variables', () => {
    expect(text).toContain(
      "Lambda code: docs/sdks.md#lambda, with: source '/home/ann/flag wire/.flagwire/lambda.sh'\n",
    );
  });

  test('ends with the address of the console, after the commands that flip the flag and define a shorter one', () => {
    expect(text).toContain(
      'Flip the flag in the environment development, and watch both:\n  npm run flags -- toggle new-checkout\n',
    );
    expect(text).toContain('source <(npm run --silent flags -- completion bash)   #');
    expect(text.endsWith(`\n\nConsole: ${facts.consoleUrl}\n`)).toBe(true);
  });

  test('names the data directory in that command where it needs it', () => {
    expect(banner({ ...facts, data: '/tmp/my data', flagKey: 'returns-true' })).toMatch(
      /toggle returns-true --data '\/tmp\/my data'\n/,
    );
  });
});

describe('for other machines', () => {
  test('each network has a row, and snippets use the first', () => {
    const shown = banner({ ...facts, network: ['192.168.1.20:65535', '10.0.0.7:65535'] });
    expect(rowsOf(shown, 'on your network')).toEqual([
      ['ws://192.168.1.20:65535', 'http://192.168.1.20:65535/try'],
      ['ws://10.0.0.7:65535', 'http://10.0.0.7:65535/try'],
    ]);
    expect(snippetOf(shown, 'In another folder')).toContain("streamingUri('ws://192.168.1.20:65535')");
    expect(shown).toContain('Browser SDK: open http://127.0.0.1:65535/try#token=t\n');
    // Other machines may not have the token.
    expect(shown).not.toMatch(/192\S+token/);
  });

  test('without a network, the banner says so', () => {
    const shown = banner({ ...facts, network: [] });
    expect(rowsOf(shown, 'on your network')).toEqual([['no network address found']]);
    expect(shown).toContain(`streamingUri('${facts.streamingUrl}')`);
  });

  test('names are listed, the one for containers as such', () => {
    const shown = banner({ ...facts, hostNames: ['host.docker.internal', 'laptop.local'] });
    expect(rowsOf(shown, 'in a container')).toEqual([
      ['ws://host.docker.internal:65535', 'http://host.docker.internal:65535'],
    ]);
    expect(rowsOf(shown, 'by name')).toEqual([['ws://laptop.local:65535', 'http://laptop.local:65535']]);
  });

  test('a console that cannot be reached is not linked', () => {
    const shown = banner({ ...facts, consoleUrl: undefined });
    expect(shown).toMatch(/\nConsole: only at 127\.0\.0\.1: start with --host 0\.0\.0\.0\n$/);
    expect(shown).toContain(`Browser SDK: open ${facts.httpUrl}/try\n`);
  });
});
