import { createHash, createHmac } from 'node:crypto';

/** Keys of AWS, with the SDK's names. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** A request without a query. */
export interface Unsigned {
  readonly method: 'GET' | 'POST' | 'DELETE';
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
 * Creates a signer of requests to a service of AWS with Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). The SDK's signer takes twice the CPU
 * time. The key of a day is kept. A signature has a time in whole seconds.
 *
 * @param keepsSignatures whether a short request gets the same headers within a second. Unique requests get slower
 * @returns a function that returns the headers to send: those given, and those of the signature
 */
export function createSigner(region: string, service: string, keepsSignatures = false) {
  let key: { readonly scope: string; readonly secret: string; readonly bytes: Buffer } | undefined;
  /** The headers of short requests, by method, path, headers and body. */
  const kept = new Map<string, Readonly<Record<string, string>>>();
  /** The second, by AWS's clock, and the credentials of these headers. */
  let keptFor: readonly unknown[] = [];

  function calculate({ method, path, headers, body, at }: Unsigned, credentials: Credentials): Record<string, string> {
    const { accessKeyId, sessionToken } = credentials;
    const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
    const bodyHash = sha256(body);
    const signed: Record<string, string> = { ...headers, 'x-amz-date': time, 'x-amz-content-sha256': bodyHash };
    if (sessionToken !== undefined) signed['x-amz-security-token'] = sessionToken;
    const names = Object.keys(signed).sort();
    const lines = names.map((name) => `${name}:${signed[name]}\n`).join('');
    const list = names.join(';');
    const canonical = `${method}\n${path.split('/').map(encoded).join('/')}\n\n${lines}\n${list}\n${bodyHash}`;
    const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
    const signature = hmac(
      keyFor(scope, credentials),
      `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`,
    ).toString('hex');
    signed['authorization'] =
      `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`;
    return signed;
  }

  function keyFor(scope: string, { secretAccessKey: secret }: Credentials): Buffer {
    if (key?.scope !== scope || key.secret !== secret) {
      key = { scope, secret, bytes: scope.split('/').reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`)) };
    }
    return key.bytes;
  }

  return (unsigned: Unsigned, credentials: Credentials): Readonly<Record<string, string>> => {
    const { method, path, headers, body, at } = unsigned;
    if (!keepsSignatures || body.length > KEPT_LENGTH) return calculate(unsigned, credentials);
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const wanted = [Math.floor(at / 1_000), accessKeyId, secretAccessKey, sessionToken];
    if (wanted.some((each, n) => each !== keptFor[n])) kept.clear();
    keptFor = wanted;
    const name = JSON.stringify([method, path, headers, body]);
    const signed = kept.get(name) ?? calculate(unsigned, credentials);
    if (kept.size < KEPT_REQUESTS) kept.set(name, signed);
    return signed;
  };
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
