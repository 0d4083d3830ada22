import * as nodeCrypto from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventsOf } from '../../../functions/events/changeEvent.ts';
import { aFlag } from '../../../shared/testing/builders.ts';
import { matchesPattern } from '../../emulator/eventsources/pattern.ts';
import { blockOf, recipeOf, signatureCheck } from './eventRecipes.ts';

const resourcesIn = (file: string) => recipeOf(file).Resources;
const example = JSON.parse(blockOf('json'));

test('the example has the fields of an event', () => {
  const { environment, by, command, key, name } = example.detail;
  const at = Date.parse(example.detail.at);
  const previous = Date.parse(example.detail.previousVersion);
  const before = aFlag({ key, name, isEnabled: false });
  const document = {
    kind: 'flag',
    id: key,
    updatedAt: at,
    previous,
    before,
    after: { ...before, isEnabled: true },
  } as const;
  const change = { environment, by, command, at, version: at, change: at, previous, previousAt: previous };
  const [event] = eventsOf({ ...change, documents: [document] }, (id) => id);
  expect(example).toMatchObject({ source: event?.source, 'detail-type': event?.detailType });
  const detail = JSON.parse(event?.detail ?? '{}');
  const isWhole = { before: expect.anything(), after: expect.anything() };
  expect({ ...example.detail, ...isWhole }).toEqual({ ...detail, ...isWhole });
  expect(Object.keys(example.detail)).toEqual(Object.keys(detail));
  expect(detail).toMatchObject({ before: example.detail.before, after: example.detail.after });
});

test.each([
  ['slack.yaml', 'Rule'],
  ['webhook.yaml', 'Rule'],
  ['archive.yaml', 'Archive'],
])('the pattern of %s matches the example, and not events of others', (file, resource) => {
  const { EventPattern } = resourcesIn(file)[resource]?.Properties ?? {};
  expect(matchesPattern(EventPattern, example)).toBe(true);
  expect(matchesPattern(EventPattern, { ...example, source: 'aws.s3' })).toBe(false);
});

test('Slack gets no events of environments that are not marked as production', () => {
  const { EventPattern } = resourcesIn('slack.yaml')['Rule']?.Properties ?? {};
  const environment = { ...example.detail.environment, isProduction: false };
  expect(matchesPattern(EventPattern, { ...example, detail: { ...example.detail, environment } })).toBe(false);
});

test('Slack gets a message with the change and the command that undoes it', () => {
  const [{ InputTransformer }] = resourcesIn('slack.yaml')['Rule']?.Properties.Targets ?? [];
  const summary = 'Variation “a”: "x" → "y"';
  const environment = { ...example.detail.environment, name: 'EU "live"' };
  const detail = { ...example.detail, summary, environment, by: 'CORP\\ann' };
  expect(JSON.parse(transform(InputTransformer, { ...example, detail }))).toEqual({
    text: 'new-checkout: turned on. Undo: `flags undo 2026-11-24T10:00:00.000Z --env production`',
    attachments: [
      {
        text: summary,
        fields: [
          { title: 'Environment', value: 'EU "live"' },
          { title: 'Author', value: 'CORP\\ann' },
        ],
      },
    ],
  });
});

describe('the webhook', () => {
  const secret = Buffer.from('a secret of the receiver').toString('base64');
  const requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    requests.push({ headers: request.headers, body });
    response.writeHead(status).end();
  });
  let handler: (event: unknown) => Promise<void>;
  let isGenuine: Awaited<ReturnType<typeof signatureCheck>>;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const process = { env: { URL: `http://127.0.0.1:${port}/hook`, SECRET: secret } };
    const exports: { handler?: typeof handler } = {};
    const code: string = resourcesIn('webhook.yaml')['Function']?.Properties.Code.ZipFile;
    new Function('require', 'exports', 'process', code)(() => nodeCrypto, exports, process);
    handler = exports.handler as typeof handler;
    isGenuine = await signatureCheck();
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('posts the event with a signature that the receiver accepts', async () => {
    await handler(example);
    const { headers, body } = requests.at(-1) ?? { headers: {}, body: '' };
    expect(JSON.parse(body)).toEqual(example);
    expect(headers['webhook-id']).toBe(example.detail.id);
    expect(isGenuine(headers, body, secret)).toBe(true);
  });

  test('has a signature that fails for another body, id, time or secret', () => {
    const { headers, body } = requests.at(-1) ?? { headers: {}, body: '' };
    const old = String(Number(headers['webhook-timestamp']) - 301);
    expect(isGenuine(headers, `${body} `, secret)).toBe(false);
    expect(isGenuine({ ...headers, 'webhook-id': 'other' }, body, secret)).toBe(false);
    expect(isGenuine({ ...headers, 'webhook-timestamp': old }, body, secret)).toBe(false);
    expect(isGenuine(headers, body, Buffer.from('guessed').toString('base64'))).toBe(false);
    expect(isGenuine({}, body, secret)).toBe(false);
  });

  test('refuses a signature of any length and bytes, and an empty secret', () => {
    const { headers, body } = requests.at(-1) ?? { headers: {}, body: '' };
    const length = String(headers['webhook-signature']).length;
    const forged = [
      '',
      'v1,',
      '\u00ff'.repeat(length),
      '\u{1f600}'.repeat(length / 2),
      'a'.repeat(length),
      'a'.repeat(9_999),
    ];
    for (const signature of forged)
      expect(isGenuine({ ...headers, 'webhook-signature': signature }, body, secret)).toBe(false);
    expect(() => isGenuine(headers, body, '')).toThrow('the secret is empty');
  });

  test('fails if the receiver refuses the event, so that Lambda retries', async () => {
    status = 503;
    await expect(handler(example)).rejects.toThrow('the webhook answered with 503');
  });
});

/** Plays an input transformer: a value within quotes is inserted as text, and another one as JSON. */
function transform(
  { InputPathsMap, InputTemplate }: { readonly InputPathsMap: Record<string, string>; readonly InputTemplate: string },
  event: unknown,
): string {
  return InputTemplate.replace(/<(\w+)>/g, (_, name: string, offset: number) => {
    const path = InputPathsMap[name]?.replace('$.', '').split('.') ?? [];
    const value = path.reduce((at: unknown, part) => (at as Record<string, unknown>)[part], event);
    const isQuoted = InputTemplate.slice(0, offset).split('"').length % 2 === 0;
    return isQuoted ? String(value) : JSON.stringify(value);
  });
}
