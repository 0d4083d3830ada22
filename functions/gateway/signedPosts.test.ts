import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { beforeEach, expect, test } from '@jest/globals';
import { AnswerDuringStop, stopThread } from '../../shared/testing/answerDuringStop.ts';
import { type ReceivedRequest, useFakeApi } from '../testing/fakeApi.ts';
import { SignedPosts } from './signedPosts.ts';

/** Long compared with an answer on loopback, also where the machine is busy. */
const TIMEOUT_MS = 1_000;

let received: ReceivedRequest[] = [];
/** How the server answers: with a refusal, with success, not at all, or with half an answer. */
let manner: 'refuses' | 'accepts' | 'accepts after a stop' | 'is silent' | 'breaks off' = 'refuses';

const api = useFakeApi((request, response) => {
  received.push(request);
  if (manner === 'refuses') {
    response.writeHead(403, { 'x-amzn-ErrorType': 'ForbiddenException:http://docs' }).end('{}');
  } else if (manner === 'accepts') {
    response.writeHead(200).end();
  } else if (manner === 'accepts after a stop') {
    stopThread(2 * TIMEOUT_MS);
    setTimeout(() => response.writeHead(200).end(), 1);
  } else if (manner === 'breaks off') {
    response.writeHead(200, { 'content-length': 10 }).write('{', () => response.destroy());
  }
});
beforeEach(() => {
  received = [];
  manner = 'refuses';
});

const SECRET = 'wJalrXUtnFEMI';
const posts = (timeoutMs = 5_000, to = `${api.endpoint}/streaming`) => {
  const keys = async () => ({ accessKeyId: 'AKID', secretAccessKey: SECRET, sessionToken: 'a session' });
  return new SignedPosts({ endpoint: to, region: 'eu-west-1', keys }, timeoutMs);
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** The signature of a POST by AWS's specification: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
function signatureOf({ url, headers, body }: ReceivedRequest, names: readonly string[]): string {
  const time = String(headers['x-amz-date']);
  const scope = `${time.slice(0, 8)}/eu-west-1/execute-api/aws4_request`;
  // Every service but S3 encodes the path, as it is on the wire, once more.
  const path = url.split('/').map(encodeURIComponent).join('/');
  const signed = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const canonical = ['POST', path, '', signed, names.join(';'), sha256(body)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${SECRET}`);
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
}

test('a post is signed as AWS wants it, with its body, host and session', async () => {
  await posts().send('/@connections/L0SM9cOFvHcCIhw%3D', '{"a":"é💥"}');
  const [request] = received as [ReceivedRequest];
  expect([request.url, request.body]).toEqual(['/streaming/@connections/L0SM9cOFvHcCIhw%3D', '{"a":"é💥"}']);
  const [, names = '', signature] =
    /SignedHeaders=(.*), Signature=(.*)$/.exec(request.headers.authorization ?? '') ?? [];
  for (const name of ['host', 'x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token'])
    expect(names).toContain(name);
  expect(request.headers['content-type']).toBe('application/octet-stream');
  expect(request.headers['x-amz-content-sha256']).toBe(sha256('{"a":"é💥"}'));
  expect(signature).toBe(signatureOf(request, names.split(';')));
});

test('an answer is its status and what AWS calls the error, where it is one', async () => {
  expect(await posts().send('/@connections/c', '{}')).toEqual({ status: 403, error: 'ForbiddenException' });
  manner = 'accepts';
  expect(await posts().send('/@connections/c', '{}')).toEqual({ status: 200, error: '' });
});

test('an answer that breaks off is an error', async () => {
  manner = 'breaks off';
  await expect(posts().send('/@connections/c', '{}')).rejects.toThrow('aborted');
});

test('a path is put below the endpoint’s, whether that ends with a slash or not', async () => {
  for (const to of [`${api.endpoint}/streaming/`, api.endpoint]) await posts(5_000, to).send('/@connections/c', '{}');
  expect(received.map(({ url }) => url)).toEqual(['/streaming/@connections/c', '/@connections/c']);
});

test('an endpoint of https is spoken to in TLS', async () => {
  const firstBytes: number[] = [];
  const tcp = createTcpServer((socket) => {
    socket.once('data', (data) => {
      firstBytes.push(data[0] as number);
      socket.destroy();
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const to = `https://127.0.0.1:${(tcp.address() as AddressInfo).port}/streaming`;
  await expect(posts(5_000, to).send('/@connections/c', '{}')).rejects.toThrow();
  tcp.close();
  // A handshake: RFC 8446, section 5.1.
  expect(firstBytes).toEqual([22]);
});

test('posts one after another go over one connection', async () => {
  const sender = posts();
  for (let n = 0; n < 3; n++) await sender.send(`/@connections/${n}`, '{}');
  expect(new Set(received.map(({ socket }) => socket)).size).toBe(1);
});

test('silence is an error that names the host and the time', async () => {
  manner = 'is silent';
  await expect(posts(50).send('/@connections/c', '{}')).rejects.toThrow(
    /^127\.0\.0\.1:\d+ did not answer within 50 ms$/,
  );
});

test('an answer that came while the process was stopped is read, however long that was', async () => {
  const server = await AnswerDuringStop.start('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  try {
    const requested = server.requested();
    const answer = posts(TIMEOUT_MS, `http://127.0.0.1:${server.port}`).send('/@connections/c', '{}');
    await requested;
    server.stop(2 * TIMEOUT_MS);
    expect(await answer).toEqual({ status: 200, error: '' });
  } finally {
    await server.close();
  }
});

test('a server that was stopped together with the process still has time to answer', async () => {
  manner = 'accepts after a stop';
  expect(await posts(TIMEOUT_MS).send('/@connections/c', '{}')).toEqual({ status: 200, error: '' });
});
