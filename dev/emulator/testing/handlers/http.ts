/** Answers with the event it got, or as the path asks: `/throw`, `/bare`, `/teapot`, `/malformed`, `/hang`. */
export async function handler(event: { rawPath: string }): Promise<unknown> {
  switch (event.rawPath) {
    case '/throw':
      throw new Error('this handler fails');
    case '/hang':
      return new Promise(() => {});
    case '/bare':
      return { hello: 'world' };
    case '/teapot':
      return {
        statusCode: 418,
        headers: { 'Content-Type': 'application/octet-stream', 'Access-Control-Allow-Origin': 'https://mine.example' },
        cookies: ['a=1', 'b=2'],
        body: Buffer.from([0, 255, 1]).toString('base64'),
        isBase64Encoded: true,
      };
    case '/malformed':
      return { statusCode: 'soon', body: 'x' };
    default:
      return { statusCode: 200, body: JSON.stringify(event) };
  }
}
