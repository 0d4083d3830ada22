import { describe, expect, test } from '@jest/globals';
import { formatSecret } from '../../shared/protocol/secret.ts';
import { awsProfiles } from '../emulator/awsProfiles.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { banner } from './banner.ts';

const ENV = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const keys = {
  client: formatSecret('00000000-0000-4000-8000-000000000001', ENV),
  server: formatSecret('00000000-0000-4000-8000-000000000002', ENV),
};
const stack = {
  aws: awsProfiles['new-account'],
  streamingUrl: 'ws://127.0.0.1:65535',
  httpUrl: 'http://127.0.0.1:65535',
  dynamoDbEndpoint: 'http://127.0.0.1:54321',
} as LocalStack;
const CONSOLE = 'http://127.0.0.1:65535/console/#token=t';
const text = banner(stack, keys, '.flagwire', CONSOLE);
const lines = text.split('\n');

/** The indented lines behind a heading. */
function snippetOf(heading: string): string {
  const rest = lines.slice(lines.findIndex((line) => line.startsWith(heading)) + 2);
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('  ')),
    )
    .join('\n');
}

describe('the banner', () => {
  test('fits under a screen', () => {
    expect(lines.length).toBeLessThan(40);
  });

  test('says where to connect, and with which key', () => {
    const values = new Map(lines.map((line) => line.trim().split(/\s{2,}/) as [string, string]));
    expect(values.get('streaming')).toBe(stack.streamingUrl);
    expect(values.get('HTTP')).toBe(stack.httpUrl);
    expect(values.get('console')).toBe(CONSOLE);
    expect(text).toContain(`client key  ${keys.client}\n`);
    expect(text).toContain(`server key  ${keys.server}\n`);
  });

  test('says which account it plays', () => {
    expect(text).toContain('AWS         new-account: 10 Lambda executions at once, ');
  });

  test('has a snippet for Node with the server key, and no other', () => {
    const snippet = snippetOf('Node SDK');
    expect(snippet).toContain("from '@featbit/node-server-sdk'");
    expect(snippet).toContain(`sdkKey('${keys.server}')`);
    expect(snippet).toContain(`streamingUri('${stack.streamingUrl}')`);
    expect(snippet).toContain(`eventsUri('${stack.httpUrl}')`);
    expect(snippet).not.toContain(keys.client);
  });

  test('has a snippet for browsers with the client key, and never the server key', () => {
    const snippet = snippetOf('Browser SDK');
    expect(snippet).toContain('node_modules/@featbit/js-client-sdk/');
    expect(snippet).toContain(`sdkKey('${keys.client}')`);
    expect(snippet).toContain(`streamingUri('${stack.streamingUrl}')`);
    expect(snippet).toContain(`eventsUri('${stack.httpUrl}')`);
    expect(snippet).not.toContain(keys.server);
  });

  test('ends with the command that flips the flag the snippets show', () => {
    expect(text).toMatch(/\n {2}npm run flags -- toggle returns-true\n$/);
    for (const heading of ['Node SDK', 'Browser SDK']) expect(snippetOf(heading)).toContain("'returns-true'");
  });

  test('names the data directory in that command where it is not the usual one', () => {
    expect(banner(stack, keys, '/tmp/other', CONSOLE)).toMatch(/toggle returns-true --data \/tmp\/other\n$/);
  });
});
