import type { IncomingMessage } from 'node:http';
import type { Clock } from '../clock.ts';
import { evaluate, type Statement } from '../iam/evaluate.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';
import type { AuthorizerContext, ConnectionFacts } from '../requestContext.ts';
import type { AuthorizerDefinition } from './definition.ts';
import { authorizerEvent, queryOf, routeArn } from './events.ts';

/** The answer of a Lambda authorizer. */
interface AuthorizerAnswer {
  readonly principalId: string;
  readonly policyDocument: { readonly Statement: readonly Statement[] };
  readonly context?: Readonly<Record<string, unknown>>;
}

/** The result for a handshake: the context of the connection, or the refusal's status and message. */
type Authorization =
  | { readonly allowed: true; readonly context: AuthorizerContext }
  | { readonly allowed: false; readonly status: 401 | 403 | 500; readonly message: string };

const unauthorized: Authorization = { allowed: false, status: 401, message: 'Unauthorized' };
const failed: Authorization = { allowed: false, status: 500, message: 'Internal server error' };
const forbidden: Authorization = {
  allowed: false,
  status: 403,
  message: 'User is not authorized to access this resource with an explicit deny',
};

/** Largest answer of an authorizer, in bytes of JSON. */
const maxAnswerBytes = 8192;

/**
 * Asks the authorizer of `$connect`. A missing identity source is refused without asking; a thrown `Unauthorized` is
 * 401, any other failure or a malformed answer 500, a policy that does not allow the route 403.
 */
export async function authorize(
  authorizer: AuthorizerDefinition,
  request: IncomingMessage,
  facts: ConnectionFacts,
  { functions, clock }: { functions: FunctionRegistry; clock: Clock },
): Promise<Authorization> {
  if (authorizer.identitySources.some((source) => !identity(source, request))) return unauthorized;
  const startedAt = clock.now();
  const result = await functions.invoke(authorizer.functionArn, authorizerEvent(request, facts, startedAt), {
    by: { service: 'apigateway.amazonaws.com', sourceArn: authorizer.arn },
  });
  if (!result.ok) return result.errorMessage === 'Unauthorized' ? unauthorized : failed;
  const answer = parseAnswer(result.payload);
  if (!answer) return failed;
  const access = { action: 'execute-api:Invoke', resource: routeArn(facts, '$connect') };
  if (!evaluate(answer.policyDocument.Statement, access).allowed) return forbidden;
  const context = Object.entries(answer.context ?? {}).map(([name, value]) => [name, String(value)] as const);
  return {
    allowed: true,
    context: {
      principalId: answer.principalId,
      ...Object.fromEntries(context),
      integrationLatency: clock.now() - startedAt,
    },
  };
}

/** The value of an identity source such as `route.request.querystring.token`. @throws Error for a kind unknown here. */
function identity(source: string, request: IncomingMessage): string | undefined {
  const [, name] = /^route\.request\.querystring\.(.+)$/.exec(source) ?? [];
  if (name === undefined) throw new Error(`The emulator does not support the identity source "${source}"`);
  return queryOf(request).queryStringParameters[name];
}

function parseAnswer(payload: unknown): AuthorizerAnswer | undefined {
  const answer = payload as Partial<AuthorizerAnswer> | null;
  const scalars = Object.values(answer?.context ?? {}).every((value) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  const statements = answer?.policyDocument?.Statement;
  const wellFormed =
    typeof answer?.principalId === 'string' &&
    Array.isArray(statements) &&
    statements.every(({ Effect, Action, Resource } = {} as never) => Effect && Action && Resource) &&
    scalars &&
    Buffer.byteLength(JSON.stringify(answer)) <= maxAnswerBytes;
  return wellFormed ? (answer as AuthorizerAnswer) : undefined;
}
