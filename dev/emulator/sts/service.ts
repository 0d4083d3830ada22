import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Clock } from '../clock.ts';
import { type AwsError, exceptionName, isAwsError, protocolError } from '../endpoint/awsError.ts';
import { readBody } from '../endpoint/body.ts';
import { checkSignature, readAuthorization } from '../endpoint/signature.ts';
import { HostNames } from '../hostNames.ts';
import { evaluate, listOf, type Statement } from '../iam/evaluate.ts';
import type { Identities, Identity } from '../iam/identities.ts';
import type { Role, TrustedRole } from '../iam/roles.ts';
import { type Log, oneLine } from '../log.ts';
import { localAccount } from '../template/account.ts';

/** Limit of a request. Those of AWS's clients have a few hundred bytes. */
const REQUEST_BYTES = 64 * 1_024;
const LEAST_SECONDS = 900;
/** Both of a chained session and of a role without `MaxSessionDuration`. */
const MOST_SECONDS = 3_600;
/** Of a session and of a source identity: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
const NAME = /^[\w+=,.@-]{2,64}$/;

const PARAMETERS = ['Action', 'Version', 'RoleArn', 'RoleSessionName', 'SourceIdentity', 'DurationSeconds'];

/** Names of errors of JSON services that the query protocol names otherwise. */
const QUERY_CODES: Readonly<Record<string, string>> = {
  UnrecognizedClientException: 'InvalidClientTokenId',
  InvalidSignatureException: 'SignatureDoesNotMatch',
};

interface StsDeps {
  readonly identities: Identities;
  readonly clock: Clock;
  readonly log: Log;
  /** The role of an ARN. Undefined if the templates have none. */
  readonly findRole: (arn: string) => TrustedRole | undefined;
  /** Gets each assumed role. */
  readonly onAssumed: (role: Role) => void;
}

const hostNames = new HostNames();

/** Serves `AssumeRole` of STS in AWS's query protocol. Other operations, session policies, tags and MFA are refused. */
export function serveSts(server: Server, deps: StsDeps): void {
  server.on('request', async (request, response) => {
    const [status, body] = await answerTo(request, deps).catch((error: unknown) => {
      deps.log(`sts: ${oneLine(error)}`);
      return errorAnswer(500, 'InternalFailure', oneLine(error));
    });
    response.writeHead(status, { 'Content-Type': 'text/xml', 'x-amzn-RequestId': randomUUID() }).end(body);
  });
}

async function answerTo(request: IncomingMessage, deps: StsDeps): Promise<readonly [number, string]> {
  try {
    const { host } = request.headers;
    if (!hostNames.include(host)) throw protocolError('AccessDenied', hostNames.refusal(host), 403);
    const body = (await readBody(request, REQUEST_BYTES)) ?? Buffer.alloc(0);
    const authorization = readAuthorization(request, deps.identities);
    checkSignature(request, body, authorization);
    const input = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
    return [200, assumeRole(authorization.identity, input, deps)];
  } catch (error) {
    if (!isAwsError(error)) throw error;
    const name = exceptionName(error);
    const code = QUERY_CODES[name] ?? name.replace(/Exception$/, '');
    return errorAnswer(code === 'ValidationError' ? 400 : 403, code, error.message);
  }
}

function assumeRole(caller: Identity, input: Readonly<Record<string, string>>, deps: StsDeps): string {
  const { RoleArn = '', RoleSessionName = '', SourceIdentity, DurationSeconds = String(MOST_SECONDS) } = input;
  const unknown = Object.keys(input).find((name) => !PARAMETERS.includes(name));
  if (input['Action'] !== 'AssumeRole' || unknown !== undefined)
    throw invalid(`The emulator does not offer ${unknown ?? input['Action']}`);
  checkName('roleSessionName', RoleSessionName);
  if (SourceIdentity !== undefined) checkName('sourceIdentity', SourceIdentity);
  const seconds = Number(DurationSeconds);
  if (!(seconds >= LEAST_SECONDS))
    throw invalid(constraint('durationSeconds', DurationSeconds, `value greater than or equal to ${LEAST_SECONDS}`));
  if (seconds > MOST_SECONDS)
    throw invalid(
      caller.role
        ? 'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining.'
        : 'The requested DurationSeconds exceeds the MaxSessionDuration set for this role.',
    );
  // It stays in a chain of roles.
  const sourceIdentity = caller.sourceIdentity ?? SourceIdentity;
  if (SourceIdentity !== undefined && SourceIdentity !== sourceIdentity)
    throw denied(caller, 'sts:SetSourceIdentity', RoleArn, 'the session has another one', deps);
  const role = authorize(caller, RoleArn, sourceIdentity, deps);
  deps.onAssumed(role);
  const expiresAt = deps.clock.now() + seconds * 1_000;
  const { arn, accessKey } = deps.identities.assume(role, RoleSessionName, { expiresAt, sourceIdentity });
  return element('AssumeRoleResponse', {
    AssumeRoleResult: {
      ...(sourceIdentity !== undefined && { SourceIdentity: sourceIdentity }),
      AssumedRoleUser: { Arn: arn, AssumedRoleId: `AROALOCAL:${RoleSessionName}` },
      Credentials: {
        AccessKeyId: accessKey.accessKeyId,
        SecretAccessKey: accessKey.secretAccessKey,
        SessionToken: accessKey.sessionToken ?? '',
        Expiration: new Date(expiresAt).toISOString(),
      },
    },
    ResponseMetadata: { RequestId: randomUUID() },
  });
}

/**
 * Asks the caller's policies and the role's trust policy. In a chain of roles, AWS wants `sts:SetSourceIdentity` in both. AWS lets the trust
 * policy alone allow `sts:AssumeRole` if it names the caller's role. Here both must allow it, so that tests see a missing grant.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_temp_control-access_monitor.html
 */
function authorize(caller: Identity, roleArn: string, sourceIdentity: string | undefined, deps: StsDeps): Role {
  const context = sourceIdentity === undefined ? {} : { 'sts:SourceIdentity': [sourceIdentity] };
  const found = deps.findRole(roleArn);
  for (const action of ['sts:AssumeRole', ...(sourceIdentity === undefined ? [] : ['sts:SetSourceIdentity'])]) {
    const request = { action, resource: roleArn, context };
    const denial = deps.identities.denial(caller, action, [request]);
    if (denial !== undefined) throw protocolError('AccessDenied', denial, 403);
    const trusting = found?.trust.filter((statement) => isAboutCaller(statement, caller)) ?? [];
    if (!evaluate(trusting, request).allowed)
      throw denied(caller, action, roleArn, `no resource-based policy allows the ${action} action`, deps);
  }
  return (found as TrustedRole).role;
}

/** Whether a statement of a trust policy names the caller: its role, the account, or everybody. */
function isAboutCaller(statement: Statement, { arn, role }: Identity): boolean {
  const { Principal } = statement as { Principal?: '*' | { AWS?: string | readonly string[] } };
  const names = Principal === '*' ? ['*'] : listOf(Principal?.AWS);
  const account = `arn:aws:iam::${localAccount}`;
  const own = ['*', localAccount, `${account}:root`, role ? `${account}:role/${role.name}` : arn];
  return names.some((name) => own.includes(name));
}

function denied({ arn }: Identity, action: string, resource: string, because: string, { log }: StsDeps): AwsError {
  const text = `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} because ${because}`;
  log(`iam: ${text}`);
  return protocolError('AccessDenied', text, 403);
}

function checkName(parameter: string, value: string): void {
  if (!NAME.test(value)) throw invalid(constraint(parameter, value, `length of 2 to 64, and the pattern [\\w+=,.@-]*`));
}

function constraint(parameter: string, value: string, rule: string): string {
  return `1 validation error detected: Value '${value}' at '${parameter}' failed to satisfy constraint: Member must have ${rule}`;
}

function invalid(message: string): AwsError {
  return protocolError('ValidationError', message);
}

function errorAnswer(status: number, Code: string, Message: string): readonly [number, string] {
  const error = { Type: status < 500 ? 'Sender' : 'Receiver', Code, Message };
  return [status, element('ErrorResponse', { Error: error, RequestId: randomUUID() })];
}

type Content = string | { readonly [name: string]: Content };

/** An element of XML with its children. */
function element(name: string, content: Content): string {
  const inner =
    typeof content === 'string'
      ? content.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`)
      : Object.entries(content)
          .map((child) => element(...child))
          .join('');
  return `<${name}>${inner}</${name}>`;
}
