import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSigner } from '../../../../shared/runtime/signature.ts';
import { type AnswerTable, fetchFrom } from '../../../support/tableProxy.ts';
import type { Random } from '../../torture/random.ts';

/** What a table does to requests, and what happens to their connections and credentials. Late answers, which overtake others, find most. */
const FAULTS = ['refuse', 'hang', 'late', 'throttle', 'fail', 'cut', 'drop', 'expire'] as const;
export const TABLE_FAULTS = [...FAULTS, 'late', 'late'] as const;
export type TableFault = (typeof TABLE_FAULTS)[number];

/** Maximum time after which a late answer is sent. */
const LATE_MS = 1_200;
/** The greatest age of a signature. */
const SIGNATURE_MS = 5 * 60_000;
/** How long credentials last once they are renewed: AWS's clients renew them five minutes before. */
const CREDENTIALS_MS = SIGNATURE_MS + 1_000;

const ERRORS: Partial<Record<TableFault, readonly [status: number, type: string]>> = {
  throttle: [400, 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException'],
  fail: [500, 'com.amazonaws.dynamodb.v20120810#InternalServerError'],
};

/** A proxy of the emulated table with faults. It also gives credentials, as a container's endpoint, and checks the times of signatures. */
export class FaultyTable {
  readonly #fetch: AnswerTable;
  readonly #random: Random;
  readonly #server = createServer(
    (request, response) => void this.#pass(request, response).catch(() => response.destroy()),
  );
  readonly #sockets = new Set<Socket>();
  readonly #dropped = new WeakSet<Socket>();
  #fault: TableFault | undefined;
  /** Of the credentials. */
  #generation = 1;
  url = '';

  constructor(endpoint: string, random: Random) {
    this.#fetch = fetchFrom(endpoint);
    this.#random = random;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket)).on('error', () => {});
    });
  }

  async open(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.stop();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Begins a fault. It lasts until {@link stop}, and longer for connections that drop. Credentials that end are those of now. */
  begin(fault: TableFault): void {
    if (fault === 'drop') for (const socket of this.#sockets) this.#dropped.add(socket);
    if (fault === 'expire') this.#generation++;
    this.#fault = fault;
  }

  stop(): void {
    this.#fault = undefined;
  }

  /** Closes all connections, as the network does to a frozen instance. */
  closeConnections(): void {
    this.#server.closeAllConnections();
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (request.url === '/credentials') return void response.end(JSON.stringify(this.#credentials()));
    const fault = this.#fault;
    // Nobody answers on a connection that was dropped.
    if (fault === 'hang' || this.#dropped.has(request.socket)) return;
    if (fault === 'refuse') return void request.socket.destroy();
    const [status, type, message] = ERRORS[fault as TableFault] ?? this.#refusal(fault, request.headers) ?? [];
    if (status !== undefined) {
      return void response.writeHead(status).end(JSON.stringify({ __type: type, message }));
    }
    const answer = await this.#fetch(signedAgain(request.headers, body), body);
    // So that answers overtake others.
    if (fault === 'late') await sleep(this.#random.between(0, LATE_MS));
    response.writeHead(answer.status, answer.headers);
    if (fault === 'cut') response.write(answer.body.subarray(0, answer.body.length / 2), () => response.destroy());
    else response.end(answer.body);
  }

  #credentials(): object {
    const Expiration = new Date(Date.now() + CREDENTIALS_MS).toISOString();
    const { AWS_ACCESS_KEY_ID: AccessKeyId, AWS_SECRET_ACCESS_KEY: SecretAccessKey } = process.env;
    return { AccessKeyId, SecretAccessKey, Token: `token ${this.#generation}`, Expiration };
  }

  /** Refuses as AWS does: https://docs.aws.amazon.com/IAM/latest/UserGuide/signature-v4-troubleshooting.html */
  #refusal(
    fault: TableFault | undefined,
    headers: IncomingMessage['headers'],
  ): readonly [number, string, string] | undefined {
    if (fault === 'expire' && headers['x-amz-security-token'] !== `token ${this.#generation}`) {
      const type = 'com.amazon.coral.service#ExpiredTokenException';
      return [400, type, 'The security token included in the request is expired'];
    }
    const given = String(headers['x-amz-date']);
    const apart = Date.parse(given.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:')) - Date.now();
    if (Math.abs(apart) <= SIGNATURE_MS) return undefined;
    const text = (ms: number) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
    const [now, bound] = [text(Date.now()), text(Date.now() + Math.sign(apart) * SIGNATURE_MS)];
    const message =
      apart < 0
        ? `Signature expired: ${given} is now earlier than ${bound} (${now} - 5 min.)`
        : `Signature not yet current: ${given} is still later than ${bound} (${now} + 5 min.)`;
    return [400, 'com.amazon.coral.service#InvalidSignatureException', message];
  }
}

/** The headers of a request, signed without the token: only sessions of STS have one, and the table knows none of these. */
function signedAgain(headers: IncomingMessage['headers'], body: Buffer): Readonly<Record<string, string>> {
  const { AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env;
  const keys = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  const kept = Object.fromEntries(
    ['host', 'content-type', 'x-amz-target'].map((name) => [name, String(headers[name])]),
  );
  const unsigned = { method: 'POST' as const, path: '/', headers: kept, body: String(body), at: Date.now() };
  return createSigner(AWS_REGION, 'dynamodb')(unsigned, keys);
}
