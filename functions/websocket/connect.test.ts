import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatRelayKey } from '../../shared/protocol/relay.ts';
import { formatSecret } from '../../shared/protocol/secret.ts';
import { encodeToken } from '../../shared/protocol/token.ts';
import { secretIdOf } from '../../shared/store/table/keys.ts';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { type ConnectEvent, createConnect } from './connect.ts';

const NOW = Date.UTC(2024, 0);
const ENV = 'ad99d259-1f50-4ed9-a002-7c65e25487df';
const SECRET = formatSecret('5f0a1c3e-0000-4000-8000-000000000001', ENV);
const UNKNOWN = formatSecret('6e1b2d4f-0000-4000-8000-000000000002', ENV);
const OTHER_ENV = '8dc61769-5af3-4d9f-8cb3-d7342e24c3eb';
const RELAY_KEY = formatRelayKey('5f0a1c3e-0000-4000-8000-000000000003', '5f0a1c3e-0000-4000-8000-000000000004');
const ARN = 'arn:aws:execute-api:eu-central-1:123456789012:abc/streaming/$connect';

let output: CapturedOutput;
let isDown = false;
let noted: unknown[] = [];
let note = async (unanswered: unknown) => void noted.push(unanswered);
const connect = createConnect(
  {
    secrets: {
      find: async (secret) => {
        if (isDown) throw new Error('the table is down');
        return secret === SECRET ? { envId: ENV, type: 'client' } : undefined;
      },
    },
    relays: {
      find: async (key) => (key === RELAY_KEY ? { id: 'r', envIds: [ENV, OTHER_ENV], secrets: [] } : undefined),
    },
  },
  { note: (unanswered) => note(unanswered) },
  () => NOW,
);

beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());

const token = (secret = SECRET, at = NOW) => encodeToken(secret, at, 17);
const ask = (
  queryStringParameters: NonNullable<ConnectEvent['queryStringParameters']> | null,
  headers: ConnectEvent['headers'] = {},
) => connect({ methodArn: ARN, queryStringParameters, headers });

describe('a handshake while only the front door leads in', () => {
  const requiring = (doorSecrets: readonly string[]) =>
    createConnect(
      { secrets: { find: async () => ({ envId: ENV, type: 'client' }) }, relays: { find: async () => undefined } },
      { note: async () => {} },
      () => NOW,
      doorSecrets,
    );
  const effect = async (headers: NonNullable<ConnectEvent['headers']> | null, secrets = ['new', 'former']) => {
    const event = { methodArn: ARN, queryStringParameters: { type: 'client', token: token() }, headers };
    return (await requiring(secrets)(event)).policyDocument.Statement[0].Effect;
  };

  test.each([[['']], [['', '']], [[' \n']], [[]], [['new', '']], [['{\n"key": "new"\n}']]])(
    'is refused without a secret, or with a part of one, if the secrets are %j',
    async (secrets) => {
      output.clear();
      for (const given of ['', ' ', '{', '}', '"key": "new"', undefined])
        expect(await effect({ 'x-flagwire-door': given }, secrets)).toBe('Deny');
      expect(output.text().includes('no handshake matches it')).toBe(secrets.length > 0);
    },
  );

  test('is admitted with a secret that was stored with a line feed', async () => {
    expect(await effect({ 'x-flagwire-door': 'new' }, ['new\r\n'])).toBe('Allow');
  });

  test('learns whether a secret is accepted from a malformed token', async () => {
    const ask = (secret: string) =>
      requiring(['new', 'former'])({
        methodArn: ARN,
        queryStringParameters: { type: 'client', token: 'x' },
        headers: { 'x-flagwire-door': secret },
      });
    await expect(ask('former')).rejects.toThrow('Unauthorized');
    expect((await ask('other')).policyDocument.Statement[0].Effect).toBe('Deny');
  });

  test.each(['new', 'former'])('is admitted with a secret of the front door: %s', async (secret) => {
    expect(await effect({ 'X-Flagwire-Door': secret })).toBe('Allow');
  });

  test.each([{}, null, { 'x-flagwire-door': '' }, { 'x-flagwire-door': 'news' }, { 'x-other': 'new' }])(
    'is refused with other headers: %j',
    async (headers) => {
      expect(await effect(headers)).toBe('Deny');
      expect(output.text()).toContain('not through the front door');
    },
  );
});

describe('a handshake', () => {
  test('admits an agent with its relay’s environments, which later messages carry', async () => {
    noted = [];
    const decision = await ask({ type: 'relay-proxy', token: RELAY_KEY });
    const context = { type: 'relay-proxy', secretId: secretIdOf(RELAY_KEY), envIds: `${ENV},${OTHER_ENV}` };
    expect(decision).toMatchObject({ policyDocument: { Statement: [{ Effect: 'Allow' }] }, context });
    expect(JSON.stringify(decision)).not.toContain(RELAY_KEY);
  });

  test('is admitted, and tells later messages the environment and the type', async () => {
    expect(await ask({ type: 'client', token: token() })).toEqual({
      principalId: ENV,
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: ARN }],
      },
      context: { envId: ENV, type: 'client', secretId: secretIdOf(SECRET), patchContents: 'any' },
    });
  });

  test('tells later messages what the SDK that it names takes in one patch', async () => {
    const query = { type: 'client', token: token() };
    const contents = async (headers: ConnectEvent['headers']) => (await ask(query, headers)).context?.patchContents;
    expect(await contents({ 'User-Agent': 'fb-python-server-sdk' })).toBe('one-kind');
    expect(await contents({ 'user-agent': 'fb-go-server-sdk' })).toBe('one-item');
    expect(await contents({ Host: 'abc' })).toBe('any');
    expect(await contents(null)).toBe('one-item');
  });

  test('is noted as waiting for an answer, with what later messages are told', async () => {
    noted = [];
    const requestContext = { connectionId: 'c', connectedAt: NOW - 7 };
    const query = { type: 'client', token: token() };
    const { context } = await connect({ methodArn: ARN, requestContext, queryStringParameters: query });
    expect(noted).toEqual([{ id: 'c', since: NOW - 7, context }]);
    await connect({ methodArn: ARN, requestContext, queryStringParameters: { ...query, token: token(UNKNOWN) } });
    expect(noted).toHaveLength(1);
  });

  test('is admitted without that note if the table refuses it, with lines in the log', async () => {
    const before = note;
    note = async () => {
      throw new Error('throttled');
    };
    output.clear();
    const requestContext = { connectionId: 'c', connectedAt: NOW };
    for (let n = 0; n < 30; n++) {
      const queryStringParameters = { type: 'client', token: token() };
      expect(await connect({ methodArn: ARN, requestContext, queryStringParameters })).toHaveProperty('context');
    }
    expect(output.lines()).toHaveLength(10);
    expect(output.lines()[0]).toMatchObject({ level: 'WARN', message: expect.stringContaining('not noted') });
    note = before;
  });

  test('may spell its query’s names in any letter case, and say its version', async () => {
    expect(await ask({ TYPE: 'client', Token: token(), vErSiOn: '2' })).toHaveProperty('context');
    expect(await ask(JSON.parse(`{"type":"client","token":"${token()}","__proto__":"x"}`))).toHaveProperty('context');
  });

  test.each([
    ['no query at all', null, 'unsupported type'],
    ['a type that is not served', { type: 'relay', token: token() }, 'unsupported type'],
    ['an unknown relay key', { type: 'relay-proxy', token: `rp-${'A'.repeat(44)}` }, 'unknown or revoked relay key'],
    ['the other type', { type: 'server', token: token() }, 'not a server secret'],
    ['a version that is not served', { type: 'client', token: token(), version: '3' }, 'unsupported version'],
    [
      'an old token',
      { type: 'client', token: token(SECRET, NOW - 31_000) },
      'the token is 31 s old, above the limit of 30 s; check the clock of the client',
    ],
    ['an unknown secret', { type: 'client', token: token(UNKNOWN) }, 'unknown or revoked secret'],
  ])('is denied with %s, which API Gateway answers with 403', async (_, query, reason) => {
    output.clear();
    const decision = await ask(query);
    expect(decision.policyDocument.Statement[0].Effect).toBe('Deny');
    expect(decision).not.toHaveProperty('context');
    expect(output.lines()).toEqual([expect.objectContaining({ message: 'connection refused', reason })]);
  });

  test.each([
    ['type', { type: ['client', 'client'], token: [token()] }],
    ['type, in two letter cases', { type: ['client'], TYPE: ['client'], token: [token()] }],
    ['version', { type: ['client'], token: [token()], version: ['1', '1'] }],
  ])('is denied with its %s given twice', async (_, multiValueQueryStringParameters) => {
    const queryStringParameters = { type: 'client', token: token() };
    const decision = await connect({ methodArn: ARN, queryStringParameters, multiValueQueryStringParameters });
    expect(decision.policyDocument.Statement[0].Effect).toBe('Deny');
  });

  test('is unauthorized with two tokens, and admitted with everything given once', async () => {
    const given = (...tokens: string[]) =>
      connect({
        methodArn: ARN,
        queryStringParameters: { type: 'client', token: token() },
        multiValueQueryStringParameters: { type: ['client'], token: tokens },
      });
    await expect(given(token(), token())).rejects.toThrow(/^Unauthorized$/);
    expect(await given(token())).toHaveProperty('context');
  });

  test.each([
    ['no token', { type: 'client' }],
    ['an empty token', { type: 'client', token: '' }],
    ['a token that is none', { type: 'client', token: `${token()}w` }],
    ['the secret itself for a token', { type: 'client', token: SECRET }],
  ])('is unauthorized with %s, which API Gateway answers with 401', async (_, query) => {
    await expect(ask(query)).rejects.toThrow(/^Unauthorized$/);
  });

  test('is an error while the table is down, which API Gateway answers with 500', async () => {
    isDown = true;
    await expect(ask({ type: 'client', token: token() })).rejects.toThrow('the table is down');
    isDown = false;
  });

  test('leaves neither token nor secret in the log', async () => {
    output.clear();
    const tokens = [token(), token(UNKNOWN), token(SECRET, NOW - 60_000), `${token()}broken`, SECRET];
    for (const each of tokens) await ask({ type: 'client', token: each }).catch(() => {});
    await ask({ type: token(), token: token() });
    await ask({ type: 'client', token: token(), version: SECRET });
    expect(output.lines().length).toBeGreaterThan(4);
    for (const secret of [SECRET, UNKNOWN]) {
      for (const part of [secret.slice(0, 12), secret.slice(17), secret.slice(22)]) {
        expect(output.text()).not.toContain(part);
      }
    }
  });
});
