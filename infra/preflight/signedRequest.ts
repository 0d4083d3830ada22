import { text } from 'node:stream/consumers';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SignatureV4 } from '@smithy/signature-v4';
import { clientSettings } from './account.ts';

/** A request to an AWS service for which this project has no SDK client. */
interface AwsRequest {
  /** The service name in the signature. */
  readonly service: string;
  readonly region: string;
  /** The name in the environment variable of its endpoint: `AWS_ENDPOINT_URL_<name>`. By default, the service in upper case. */
  readonly endpointName?: string;
  /** By default, `https://<service>.<region>.amazonaws.com`. */
  readonly endpoint?: string;
  /** Includes the query of a GET request. By default, `/`. */
  readonly path?: string;
  /** Makes it a POST. */
  readonly body?: string;
  /** By default, those of AWS's query protocol for a POST. */
  readonly headers?: Readonly<Record<string, string>>;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

/**
 * Sends a request with the credentials and settings of an AWS client.
 *
 * @returns the response body
 * @throws Error with AWS's name, such as `AccessDeniedException`, on any status but 200, and what AWS's clients throw without a response
 */
export async function sendSigned(request: AwsRequest): Promise<string> {
  const { service, region, endpointName = service.toUpperCase(), path = '/', body } = request;
  const { endpoint = `https://${service}.${region}.amazonaws.com`, headers = body === undefined ? {} : FORM } = request;
  const given = process.env[`AWS_ENDPOINT_URL_${endpointName}`] ?? process.env['AWS_ENDPOINT_URL'];
  const url = new URL(path, given ?? endpoint);
  const { credentials, sha256, requestHandler } = new LambdaClient(clientSettings(region)).config;
  const signer = new SignatureV4({ service, region, credentials, sha256 });
  const signed = await signer.sign({
    method: body === undefined ? 'GET' : 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port !== '' && { port: Number(url.port) }),
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: url.host, ...headers },
    ...(body !== undefined && { body }),
  });
  const { response } = await requestHandler.handle(signed as Parameters<typeof requestHandler.handle>[0]);
  const answer = await text(response.body);
  if (response.statusCode !== 200) throw errorIn(answer, response);
  return answer;
}

/** The response body. @param code the error of a missing resource @returns undefined if the resource is missing */
export function unlessMissing(response: Promise<string>, code: string): Promise<string | undefined> {
  return response.catch((error: Error) => {
    if (error.name === code) return undefined;
    throw error;
  });
}

/** The response of an error, without its body. */
interface AnsweredError {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** AWS services name errors in a header, in JSON or in XML. */
function errorIn(body: string, { statusCode, headers }: AnsweredError): Error {
  const code =
    headers['x-amzn-errortype'] ??
    /"__type"\s*:\s*"([^"]+)"/.exec(body)?.[1] ??
    /<Code>([^<]+)<\/Code>/.exec(body)?.[1];
  const message = /"message"\s*:\s*"([^"]*)"/i.exec(body)?.[1] ?? /<Message>([^<]+)<\/Message>/.exec(body)?.[1];
  const error = new Error(message ?? `HTTP status ${statusCode}`);
  error.name = code?.split(':')[0]?.split('#').at(-1) ?? 'Error';
  return error;
}
