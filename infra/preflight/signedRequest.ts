import { LambdaClient } from '@aws-sdk/client-lambda';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { SignedRequests, type SignedResponse } from '../../shared/runtime/signedRequests.ts';
import { clientSettings, TIMEOUTS } from './account.ts';

/** A request to an AWS service for which this project has no SDK client. */
interface AwsRequest {
  /** The service name in the signature. */
  readonly service: string;
  readonly region: string;
  /** The name in the environment variable of its endpoint: `AWS_ENDPOINT_URL_<name>`. By default, the service in upper case. */
  readonly endpointName?: string;
  /** By default, `https://<service>.<region>.amazonaws.com`. */
  readonly endpoint?: string;
  /** Without a query. By default, `/`. */
  readonly path?: string;
  /** Makes it a POST. */
  readonly body?: string;
  /** By default, those of AWS's query protocol for a POST. */
  readonly headers?: Readonly<Record<string, string>>;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

/**
 * Sends a request with the credentials of an AWS client.
 *
 * @returns the response body
 * @throws Error with AWS's name, such as `AccessDeniedException`, on any status but 200
 * @throws Error if there is no response
 */
export async function sendSigned(request: AwsRequest): Promise<string> {
  const { service, region, endpointName = service.toUpperCase(), path = '/', body } = request;
  const { endpoint: usual = `https://${service}.${region}.amazonaws.com` } = request;
  const endpoint = process.env[`AWS_ENDPOINT_URL_${endpointName}`] ?? process.env['AWS_ENDPOINT_URL'] ?? usual;
  const { credentials: keys } = new LambdaClient(clientSettings(region)).config;
  const target = { service, endpoint, region, keys, connectMs: TIMEOUTS.connectionTimeout };
  const requests = new SignedRequests(target, TIMEOUTS.requestTimeout, systemEffects);
  const { headers = body === undefined ? {} : FORM } = request;
  const response = await requests.send(path, body ?? '', headers, 0, body === undefined ? 'GET' : 'POST');
  if (response.status !== 200) throw errorIn(response);
  return response.body;
}

/** The response body. @param code the error of a missing resource @returns undefined if the resource is missing */
export function unlessMissing(response: Promise<string>, code: string): Promise<string | undefined> {
  return response.catch((error: Error) => {
    if (error.name === code) return undefined;
    throw error;
  });
}

/** AWS services name errors in a header, in JSON or in XML. */
function errorIn({ status, error: named, body }: SignedResponse): Error {
  const code = named || /"__type"\s*:\s*"([^"]+)"/.exec(body)?.[1] || /<Code>([^<]+)<\/Code>/.exec(body)?.[1];
  const message = /"message"\s*:\s*"([^"]*)"/i.exec(body)?.[1] ?? /<Message>([^<]+)<\/Message>/.exec(body)?.[1];
  const error = new Error(message ?? `HTTP status ${status}`);
  error.name = code?.split(':')[0]?.split('#').at(-1) ?? 'Error';
  return error;
}
