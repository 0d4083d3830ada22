import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Identities, Identity } from '../iam/identities.ts';
import { protocolError } from './awsError.ts';

/** The parts of a request that a signature covers. */
type SignedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/** The parts of an `Authorization` header of Signature Version 4. */
type Authorization = ReturnType<typeof readAuthorization>;

const ALGORITHM = 'AWS4-HMAC-SHA256';
const HEADER =
  /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/(\d{8}\/[^/,]+\/[^/,]+\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/;

/**
 * Reads the signer of a request, without its body.
 *
 * @throws {AwsError} for a missing or incomplete signature, or an unknown access key
 */
export function readAuthorization({ headers }: SignedRequest, identities: Identities) {
  const { authorization } = headers;
  if (!authorization?.startsWith('AWS4-')) {
    throw protocolError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  }
  const [, id, scope = '', signedHeaders = '', signature = ''] = HEADER.exec(authorization) ?? [];
  if (id === undefined) {
    const text = 'Authorization header requires Credential, SignedHeaders and Signature parameters';
    throw protocolError('IncompleteSignatureException', text);
  }
  const identity = identities.find(id);
  if (!identity || headers['x-amz-security-token'] !== identity.accessKey.sessionToken) {
    throw protocolError('UnrecognizedClientException', 'The security token included in the request is invalid.');
  }
  if (identities.hasExpired(identity)) {
    throw protocolError('ExpiredTokenException', 'The security token included in the request is expired');
  }
  return {
    /** Whose access key it names. */
    identity,
    /** Date, region, service and `aws4_request`, in the order in which the signing key is derived from them. */
    scope: scope.split('/'),
    signedHeaders: signedHeaders.split(';'),
    /** Hexadecimal. */
    signature,
  };
}

/**
 * Checks that a request was signed with the secret of its access key: method, path, signed headers and body. How old the
 * signature is does not matter here.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 * @throws {AwsError} `InvalidSignatureException`
 */
export function checkSignature(
  request: SignedRequest,
  body: Buffer,
  { identity, scope, signedHeaders, signature }: Authorization,
): void {
  const [path = '/', query = ''] = (request.url ?? '/').split('?');
  const canonicalRequest = [
    request.method,
    // Encoded once more than on the wire, as for every service but S3.
    encodeURIComponent(path).replaceAll('%2F', '/'),
    query.split('&').sort().join('&'),
    ...signedHeaders.map((name) => `${name}:${String(request.headers[name] ?? '').replaceAll(/\s+/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    sha256(body),
  ].join('\n');
  const text = [ALGORITHM, request.headers['x-amz-date'], scope.join('/'), sha256(canonicalRequest)].join('\n');
  if (timingSafeEqual(hmac(signingKey(identity, scope.join('/')), text), Buffer.from(signature, 'hex'))) return;
  throw protocolError(
    'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key' +
      ' and signing method. Consult the service documentation for details.',
  );
}

/** The signing key of each identity's last scope. To derive one takes longer than all else here. */
const signingKeys = new WeakMap<Identity, { readonly scope: string; readonly key: KeyObject }>();

function signingKey(identity: Identity, scope: string): KeyObject {
  const last = signingKeys.get(identity);
  if (last?.scope === scope) return last.key;
  const { secretAccessKey } = identity.accessKey;
  const key = scope
    .split('/')
    .reduce((each, part) => createSecretKey(hmac(each, part)), createSecretKey(`AWS4${secretAccessKey}`, 'utf8'));
  signingKeys.set(identity, { scope, key });
  return key;
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
