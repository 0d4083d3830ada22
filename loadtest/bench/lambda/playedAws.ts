import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, fetchFrom } from '../../../dev/support/tableProxy.ts';
import { repositoryRoot } from '../../../infra/repository.ts';

/** The certificate of 127.0.0.1. */
const CERTIFICATE = join(repositoryRoot, 'functions/host/testing/tls/first.crt');

/** What a request of DynamoDB takes inside a region, about. */
const ANSWER_MS = 3;

const EVALUATION = JSON.stringify({ key: 'a', value: true, reason: 'STATIC', variant: 'a-true', metadata: {} });

/**
 * Plays AWS over TLS: an emulated table, `@connections`, and evaluations of OFREP. Responses to reads of the flags, which do not change, are
 * kept, so that the emulator takes no time.
 */
export async function playAws(endpoint: string, flagsTable: string) {
  const fetchAnswer = fetchFrom(endpoint);
  const known = new Map<string, Promise<Answer>>();
  let counts = { requests: 0, receivedKb: 0 };
  const answer = async (headers: Answer['headers'], body: Buffer): Promise<Answer> => {
    const key = `${headers['x-amz-target']} ${body}`;
    if (key.startsWith('undefined '))
      return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(EVALUATION) };
    const kept = known.get(key) ?? fetchAnswer(headers, body);
    if (/[.](GetItem|Query) /.test(key) && key.includes(flagsTable)) known.set(key, kept);
    return kept;
  };
  const tls = { cert: readFileSync(CERTIFICATE), key: readFileSync(CERTIFICATE.replace('.crt', '.key')) };
  const server = createServer(tls, async (request, response) => {
    const given = await buffer(request);
    const [{ status, headers, body }] = await Promise.all([answer(request.headers, given), sleep(ANSWER_MS)]);
    counts = { requests: counts.requests + 1, receivedKb: counts.receivedKb + body.length / 1_000 };
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: {
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
      AWS_ENDPOINT_URL_DYNAMODB: url,
      CONNECTIONS_ENDPOINT: `${url}/streaming`,
    },
    /** Returns the counts since the last call. */
    reset: () => {
      const before = counts;
      counts = { requests: 0, receivedKb: 0 };
      return before;
    },
    close: () => void server.close().closeAllConnections(),
  };
}
