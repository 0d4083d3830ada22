import type { Emulator } from './emulator.ts';

/** A request to an AWS service; GET unless there is a body. */
export interface AwsRequest {
  readonly service: string;
  readonly path?: string;
  /** For services that speak JSON and take the operation from a header, as in `AmazonSQS.ListQueues`. */
  readonly target?: string;
  readonly body?: string | URLSearchParams;
}

/**
 * Calls an AWS service of the emulator for which the repository carries no SDK client. The emulator checks no signature;
 * it reads from the header which service, account and region are meant.
 *
 * @returns the answer's text
 * @throws with the answer's text when it is no success
 */
export async function callAws(emulator: Emulator, request: AwsRequest): Promise<string> {
  const { service, path = '/', target, body } = request;
  const { AWS_ACCESS_KEY_ID, AWS_REGION } = emulator.environment;
  const method = body === undefined ? 'GET' : 'POST';
  const scope = `${AWS_ACCESS_KEY_ID}/20260101/${AWS_REGION}/${service}/aws4_request`;
  const response = await fetch(emulator.endpoint + path, {
    method,
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
      ...(target !== undefined && { 'x-amz-target': target, 'content-type': 'application/x-amz-json-1.0' }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${service} answered ${target ?? `${method} ${path}`} with ${response.status}: ${text}`);
  return text;
}

/** A request to one of the services whose parameters are a form, and whose answers are XML. */
export function formRequest(service: string, version: string, parameters: Record<string, string>): AwsRequest {
  return { service, body: new URLSearchParams({ Version: version, ...parameters }) };
}

/** The texts of the XML elements with a name, in order. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => text as string);
}

/** The physical ids of a stack's resources, by logical id. */
export async function physicalIds(emulator: Emulator, stackName: string): Promise<Map<string, string>> {
  const parameters = { Action: 'DescribeStackResources', StackName: stackName };
  const xml = await callAws(emulator, formRequest('cloudformation', '2010-05-15', parameters));
  const physical = elements(xml, 'PhysicalResourceId');
  return new Map(elements(xml, 'LogicalResourceId').map((logicalId, i) => [logicalId, physical[i] as string]));
}
