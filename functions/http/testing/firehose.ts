import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The response to a batch: an error code for each refused record, or one error for all. */
type Reply = readonly (string | undefined)[] | { readonly status: number; readonly type: string };

/** A delivery stream that keeps accepted records, and can be set to refuse them. */
export interface TestFirehose {
  readonly url: string;
  /** The received batches: the records' texts. */
  readonly offered: string[][];
  /** The accepted records, in order. */
  readonly taken: string[];
  readonly streams: string[];
  /** Responses to the next batches, in order. Later batches are accepted. */
  readonly replies: Reply[];
  clear(): void;
  close(): Promise<void>;
}

/** Serves only `PutRecordBatch`, on an ephemeral port. */
export async function startFirehose(): Promise<TestFirehose> {
  const offered: string[][] = [];
  const taken: string[] = [];
  const streams: string[] = [];
  const replies: Reply[] = [];
  const server = createServer(async (request, response) => {
    const { DeliveryStreamName, Records } = JSON.parse(await text(request));
    const records = Records.map(({ Data }: { Data: string }) => Buffer.from(Data, 'base64').toString());
    offered.push(records);
    streams.push(DeliveryStreamName);
    const reply = replies.shift() ?? [];
    if ('type' in reply) {
      response.writeHead(reply.status, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify({ __type: reply.type, message: 'told to' }));
      return;
    }
    const RequestResponses = records.map((record: string, n: number) => {
      const code = reply[n];
      if (code) return { ErrorCode: code, ErrorMessage: 'told to' };
      taken.push(record);
      return { RecordId: `${n}` };
    });
    const FailedPutCount = reply.filter(Boolean).length;
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify({ FailedPutCount, Encrypted: false, RequestResponses }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    offered,
    taken,
    streams,
    replies,
    clear: () => {
      for (const list of [offered, taken, streams, replies]) list.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
