/** Decides by the token: `deny`, `unauthorized`, `crash`, `malformed`, else allowed, with a context. */
export async function handler(event: {
  methodArn: string;
  queryStringParameters: Record<string, string>;
}): Promise<unknown> {
  const { token } = event.queryStringParameters;
  if (token === 'unauthorized') throw new Error('Unauthorized');
  if (token === 'crash') throw new Error('the table is unreachable');
  if (token === 'malformed') return { principalId: 'user' };
  return {
    principalId: 'user',
    policyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Effect: token === 'deny' ? 'Deny' : 'Allow',
          Resource: event.methodArn.replace(/\/[^/]+$/, '/*'),
        },
      ],
    },
    context: { envId: `env-of-${token}`, type: 'server', shard: 7, canary: true },
  };
}
