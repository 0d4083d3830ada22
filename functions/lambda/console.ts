import { readFileSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { STSClient } from '@aws-sdk/client-sts';
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { deployedContext } from '../../console/deployed/deployedContext.ts';
import { ERROR_STATUS, type ErrorAnswer, type ErrorCode } from '../../console/errors.ts';
import { readPage } from '../../console/page/recordedPage.ts';
import { createConsole } from '../../console/server/app.ts';
import { openConsole } from '../../console/server/handlers.ts';
import { PAGE_HEADERS, TLS_HEADERS } from '../../console/server/pageHeaders.ts';
import { signedInAccess } from '../../console/signIn/access.ts';
import { createRoles, nameForAws } from '../../console/signIn/assumeRole.ts';
import { openProvider } from '../../console/signIn/provider.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { SignInRoles, SignInSettings } from '../../shared/signIn/settings.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { log } from '../telemetry/log.ts';
import { requestHandler, requireEnv } from './fromEnv.ts';

/** Lambda's limit of an answer, in bytes, without 64 KB for status, headers and cookies. */
const BODY_BYTES = 6_291_456 - 65_536;
const { now } = systemEffects;
const { ALLOWED_CIDRS, SIGN_IN_SECRET, STREAMING_URL: streamingUrl, HTTP_URL: httpUrl } = process.env;
const settings: SignInSettings = JSON.parse(requireEnv('SIGN_IN'));
const roles: SignInRoles = JSON.parse(requireEnv('SIGN_IN_ROLES'));
const [flags, connections] = [requireEnv('FLAGS_TABLE'), requireEnv('CONNECTIONS_TABLE')];
const [origin, region, deployment] = [requireEnv('CONSOLE_ORIGIN'), requireEnv('AWS_REGION'), requireEnv('STAGE')];

const openAs = createRoles(
  new STSClient({ requestHandler }),
  ({ id, name, may }, keys) => {
    const credentials = async () => keys;
    return openConsole(
      deployedContext({
        tables: { client: createDynamoDb({ credentials }), flags, connections },
        author: async () => ({ by: name, signedBy: id }),
        cloudWatch: new CloudWatchClient({ credentials, requestHandler }),
        region,
        deployment,
        context: { may, person: nameForAws(id), ...omitUndefined({ streamingUrl, httpUrl }) },
      }),
    );
  },
  now,
);

const { app } = createConsole({
  access: signedInAccess({
    settings,
    roles,
    origin,
    now,
    provider: openProvider(settings, SIGN_IN_SECRET || undefined, origin, now),
    open: openAs,
    isAllowed: allowedSenders(ALLOWED_CIDRS),
    onChange: ({ id, name }, request, envId) => log.info('change', { by: name, signedBy: id, request, envId }),
  }),
  // Next to the bundle on Lambda.
  buildPage: async () =>
    readPage(readFileSync(process.env['CONSOLE_PAGE'] || join(import.meta.dirname, 'page.json'), 'utf8')),
  log: (line) => log.error(line),
});

const answer = handle(app);
const ownHeaders = Object.fromEntries(
  Object.entries({ ...PAGE_HEADERS, ...TLS_HEADERS }).map(([header, value]) => [header.toLowerCase(), value]),
);

/**
 * The console behind an HTTP API (payload format 2.0): the page, its API, and the sign-in. Large answers are always compressed, so that a
 * flood of requests without `Accept-Encoding` does not cost five times as much.
 */
export const handler = async (event: Extract<LambdaEvent, { rawPath: string }>, context: LambdaContext) => {
  const { method } = event.requestContext.http;
  // The adapter would log each of them with a stack, and each GET with a body.
  if (/^(?:TRACE|TRACK|CONNECT)$/i.test(method) || /[^\t -ÿ]/.test(event.cookies?.join() ?? ''))
    return refuse('bad-request', 'the method or a cookie of the request is not valid');
  const body = /^(?:GET|HEAD)$/i.test(method) ? null : event.body;
  const asked = { ...event, body, headers: { ...event.headers, 'accept-encoding': 'gzip' } };
  const answered = await answer(asked, context);
  if (answered.body.length <= BODY_BYTES) return { ...answered, headers: { ...ownHeaders, ...answered.headers } };
  return refuse('body-too-large', 'the answer is too large for AWS: use `npm run console`. Changes are still saved');
};

function refuse(code: ErrorCode, message: string) {
  const headers = { ...ownHeaders, 'content-type': 'application/json', 'cache-control': 'no-store' };
  const body = JSON.stringify({ error: { code, message } } satisfies ErrorAnswer);
  return { statusCode: ERROR_STATUS[code], headers, body, isBase64Encoded: false };
}

/** @param cidrs blocks of addresses with commas between them. Undefined allows all @throws if one is not valid */
function allowedSenders(cidrs: string | undefined) {
  const list = new BlockList();
  const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
  for (const cidr of cidrs?.split(',') ?? []) {
    const [address = '', prefix] = cidr.split('/');
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return ({ env }: { readonly env: unknown }) => {
    // API Gateway's own: senders cannot set it, unlike headers.
    const { requestContext } = env as { requestContext: { http: { sourceIp: string } } };
    const { sourceIp } = requestContext.http;
    return cidrs === undefined || list.check(sourceIp, familyOf(sourceIp));
  };
}
