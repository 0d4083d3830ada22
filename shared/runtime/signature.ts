import { createHash, createHmac } from 'node:crypto';

/** Keys of AWS, with the SDK's names. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A POST without a query. */
interface Post {
  /** As it is sent, URL-encoded, without empty parts, `.` and `..`. */
  readonly path: string;
  /** All headers to sign, by names in small letters. With `host`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When it is sent, in unix milliseconds by AWS's clock. */
  readonly at: number;
}

/** Maximum length of a body, and number of requests, whose signature is kept for a second. */
const [KEPT_LENGTH, KEPT_REQUESTS] = [1_024, 64];

/**
 * Signs POST requests to a service of AWS with Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). The SDK's signer takes twice the CPU
 * time. The key of a day is kept. A signature has a time in whole seconds.
 */
export class Signer {
  readonly #region: string;
  readonly #service: string;
  #key: { readonly scope: string; readonly secret: string; readonly bytes: Buffer } | undefined;
  /** The headers of short requests, by path, headers and body. Undefined if none are kept. */
  readonly #signed: Map<string, Readonly<Record<string, string>>> | undefined;
  /** The second, by AWS's clock, and the credentials of these headers. */
  #signedFor: readonly unknown[] = [];

  /** @param keepsSignatures whether a short request gets the same headers within a second. Unique requests get slower */
  constructor(region: string, service: string, keepsSignatures = false) {
    this.#region = region;
    this.#service = service;
    this.#signed = keepsSignatures ? new Map() : undefined;
  }

  /** @returns the headers to send: those given, and those of the signature */
  sign(post: Post, credentials: Credentials): Readonly<Record<string, string>> {
    const { path, headers, body, at } = post;
    if (!this.#signed || body.length > KEPT_LENGTH) return this.#calculate(post, credentials);
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const wanted = [Math.floor(at / 1_000), accessKeyId, secretAccessKey, sessionToken];
    if (wanted.some((each, n) => each !== this.#signedFor[n])) this.#signed.clear();
    this.#signedFor = wanted;
    const name = JSON.stringify([path, headers, body]);
    const signed = this.#signed.get(name) ?? this.#calculate(post, credentials);
    if (this.#signed.size < KEPT_REQUESTS) this.#signed.set(name, signed);
    return signed;
  }

  #calculate({ path, headers, body, at }: Post, credentials: Credentials): Record<string, string> {
    const { accessKeyId, sessionToken } = credentials;
    const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
    const bodyHash = sha256(body);
    const signed: Record<string, string> = { ...headers, 'x-amz-date': time, 'x-amz-content-sha256': bodyHash };
    if (sessionToken !== undefined) signed['x-amz-security-token'] = sessionToken;
    const names = Object.keys(signed).sort();
    const lines = names.map((name) => `${name}:${signed[name]}\n`).join('');
    const list = names.join(';');
    const canonical = `POST\n${path.split('/').map(encoded).join('/')}\n\n${lines}\n${list}\n${bodyHash}`;
    const scope = `${time.slice(0, 8)}/${this.#region}/${this.#service}/aws4_request`;
    const signature = hmac(
      this.#keyFor(scope, credentials),
      `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`,
    ).toString('hex');
    signed['authorization'] =
      `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`;
    return signed;
  }

  #keyFor(scope: string, { secretAccessKey: secret }: Credentials): Buffer {
    if (this.#key?.scope !== scope || this.#key.secret !== secret) {
      this.#key = { scope, secret, bytes: scope.split('/').reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`)) };
    }
    return this.#key.bytes;
  }
}

/** A part of a path, as AWS encodes it. Every service but S3 encodes what is sent once more. */
function encoded(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
