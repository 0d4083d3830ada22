import type { IncomingMessage } from 'node:http';

/**
 * Reads a request's body.
 *
 * @returns undefined for a body of more than `maxBytes`, of which the rest is discarded
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client closed the connection before its request was complete')));
  });
}
