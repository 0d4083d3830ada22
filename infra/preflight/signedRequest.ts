import { createHash, createHmac } from 'node:crypto';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SignatureV4 } from '@smithy/signature-v4';

/** A request to an AWS service for which this project has no SDK client. */
export interface AwsRequest {
  /** The service name in the signature. */
  readonly service: string;
  /** The name in the environment variable of its endpoint: `AWS_ENDPOINT_URL_<name>`. */
  readonly endpointName: string;
  readonly endpoint: string;
  readonly region: string;
  /** Includes the query of a GET request. */
  readonly path: string;
  /** Makes it a POST. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error response; its name is AWS's, such as `AccessDeniedException`. */
export class AwsError extends Error {}

const TIMEOUT_MS = 5_000;

/**
 * Sends a request with the credentials and settings that the AWS SDK would use.
 *
 * @returns the response body
 * @throws AwsError on any status but 200, and what `fetch` throws without a response
 */
export async function sendSigned(request: AwsRequest): Promise<string> {
  const { service, endpointName, region, path, body, headers = {} } = request;
  const given = process.env[`AWS_ENDPOINT_URL_${endpointName}`] ?? process.env['AWS_ENDPOINT_URL'];
  const url = new URL(path, given ?? request.endpoint);
  const credentials = new LambdaClient({ region }).config.credentials;
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  const method = body === undefined ? 'GET' : 'POST';
  const signed = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host, ...headers },
    ...(body !== undefined && { body }),
  });
  const answer = await fetch(url, {
    method,
    headers: signed.headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw errorIn(text, answer);
  return text;
}

/** AWS services name errors in a header, in JSON or in XML. */
function errorIn(text: string, { status, headers }: Response): AwsError {
  const code =
    headers.get('x-amzn-errortype') ??
    /"__type"\s*:\s*"([^"]+)"/.exec(text)?.[1] ??
    /<Code>([^<]+)<\/Code>/.exec(text)?.[1];
  const message = /"message"\s*:\s*"([^"]*)"/i.exec(text)?.[1] ?? /<Message>([^<]+)<\/Message>/.exec(text)?.[1];
  const error = new AwsError(message ?? `HTTP status ${status}`);
  error.name = code?.split(':')[0]?.split('#').at(-1) ?? 'Error';
  return error;
}

/** Node's hashes in the form that the signer needs. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string | Uint8Array);
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(data as string | Uint8Array);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}
