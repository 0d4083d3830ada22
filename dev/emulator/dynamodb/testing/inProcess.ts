import { setImmediate } from 'node:timers/promises';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { isAwsError } from '../../endpoint/awsError.ts';
import type { LocalDynamoDb } from '../server.ts';

type InProcess = Pick<DynamoDBClientConfig, 'endpoint' | 'credentials' | 'requestHandler' | 'signer'>;

/** The fields of an SDK's request that are used. */
interface Request {
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/**
 * Settings for a client that hands its requests to a DynamoDB in the same process, with neither sockets nor signatures. A request
 * takes a sixth of the processor time that it takes over HTTP. As over HTTP, an answer comes in a later turn of the event loop.
 */
export function inProcess({ endpoint, accessKey, operations }: LocalDynamoDb): InProcess {
  const answer = async ({ headers, body }: Request) => {
    const { 'x-amz-target': target = '' } = headers;
    const operation = operations[target.split('.')[1] ?? ''];
    if (!operation) throw new Error(`the embedded DynamoDB does not offer ${target}`);
    try {
      const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
      const output = await operation(JSON.parse(text), headers);
      return { statusCode: 200, body: output ?? {} };
    } catch (error) {
      if (!isAwsError(error)) throw error;
      return error;
    }
  };
  const handle = async (request: Request, { abortSignal }: { abortSignal?: AbortSignal } = {}) => {
    const refuseAborted = () => {
      if (abortSignal?.aborted) throw Object.assign(new Error('Request aborted'), { name: 'AbortError' });
    };
    refuseAborted();
    await setImmediate();
    const { statusCode, body } = await answer(request);
    refuseAborted();
    return { response: { statusCode, headers: {}, body: Buffer.from(JSON.stringify(body)) } };
  };
  return {
    endpoint,
    credentials: accessKey,
    requestHandler: { handle } as unknown as NonNullable<InProcess['requestHandler']>,
    signer: { sign: async (request) => request },
  };
}
