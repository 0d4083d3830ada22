/** A `$connect` integration: answers with the status in the token, or `throw`s, or says `nonsense`. */
export async function handler(event: { queryStringParameters: { token: string } }): Promise<unknown> {
  const { token } = event.queryStringParameters;
  if (token === 'throw') throw new Error('this handler fails');
  if (token === 'nonsense') return 'nonsense';
  return { statusCode: Number(token) };
}
