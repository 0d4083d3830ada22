import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { SignatureV4 } from '@smithy/signature-v4';
import { onSilence } from '../../shared/runtime/silence.ts';

/** Posts in flight at the same time. */
const SOCKETS = 256;

/** The credentials to sign with. */
interface Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The endpoint of posts, and the credentials. */
export interface PostTarget {
  /** `https://…/<stage>` */
  readonly endpoint: string;
  readonly region: string;
  readonly keys: () => Promise<Keys>;
}

/** A response; AWS's error name is in a header. */
interface PostAnswer {
  readonly status: number;
  readonly error: string;
}

/**
 * Signed POST requests over persistent connections. A client of the AWS SDK takes more than twice the CPU time for one, and CPU
 * limits how many connections a function reaches. The SDK's signer, which caches the day's key, is still used.
 */
export class SignedPosts {
  readonly #url: URL;
  readonly #timeoutMs: number;
  readonly #signer: SignatureV4;
  readonly #agent: HttpAgent;

  /** @param timeoutMs timeout of a response from the time a request gets a connection, including connecting */
  constructor({ endpoint, region, keys }: PostTarget, timeoutMs: number) {
    this.#url = new URL(endpoint);
    this.#timeoutMs = timeoutMs;
    this.#signer = new SignatureV4({ service: 'execute-api', region, credentials: keys, sha256: Sha256 });
    const options = { keepAlive: true, maxSockets: SOCKETS };
    this.#agent = this.#url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
  }

  /**
   * Sends a request.
   *
   * @param path path below the endpoint, URL-encoded
   * @throws if there is no response
   */
  async send(path: string, body: string): Promise<PostAnswer> {
    const { protocol, hostname, port, host, pathname } = this.#url;
    const signed = await this.#signer.sign({
      method: 'POST',
      protocol,
      hostname,
      path: pathname.replace(/\/$/, '') + path,
      query: {},
      headers: { host, 'content-type': 'application/octet-stream', 'content-length': String(Buffer.byteLength(body)) },
      body,
    });
    const request = protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const { method, headers } = signed;
      const options = { hostname, port, path: signed.path, method, headers, agent: this.#agent };
      const sent = request(options, (response) => {
        response.on('error', reject).on('end', () => resolve(answerOf(response)));
        response.resume();
      });
      sent.on('error', reject);
      const giveUp = () => sent.destroy(new Error(`${host} did not answer within ${this.#timeoutMs} ms`));
      // If the response is not read, the post is retried, and the connection gets the message twice.
      sent.on('socket', () => sent.on('close', onSilence(this.#timeoutMs, giveUp)));
      sent.end(body);
    });
  }
}

function answerOf({ statusCode = 0, headers }: IncomingMessage): PostAnswer {
  const [error = ''] = String(headers['x-amzn-errortype'] ?? '').split(':');
  return { status: statusCode, error };
}

/** Node's hash in the form that the signer needs. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  /** The signer creates a new object each time. */
  reset(): void {}
}

/** Key objects by bytes: the signer caches the day's key, and creating a key object takes longer than signing. */
const keys = new WeakMap<object, KeyObject>();

function keyOf(secret: string | ArrayBuffer | ArrayBufferView): KeyObject {
  const known = typeof secret === 'object' ? keys.get(secret) : undefined;
  const key = known ?? createSecretKey(bytesOf(secret));
  if (typeof secret === 'object') keys.set(secret, key);
  return key;
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
