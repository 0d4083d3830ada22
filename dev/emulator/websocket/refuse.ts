import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** The JSON that API Gateway answers a failed handshake or a failed message with. */
export function errorFrame(message: string, connectionId: string, requestId: string): string {
  return JSON.stringify({ message, connectionId, requestId });
}

/** Answers an upgrade request with a plain HTTP response and closes the socket. */
export function refuseUpgrade(socket: Duplex, status: number, body: string): void {
  if (socket.destroyed) return;
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
