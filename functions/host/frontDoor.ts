import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type PlainHandshake, readPlainHandshake } from './handshake.ts';

/** How long a connection may say nothing before it is left to the HTTP server, which has its own patience. */
const SILENCE_MS = 1_000;

/**
 * Takes a connection over, given its handshake and what came after it.
 *
 * @returns false to leave it to the HTTP server
 */
export type Take = (socket: Socket, handshake: PlainHandshake, rest: Buffer) => boolean;

/**
 * Stands before an HTTP server and lets plain requests for a WebSocket pass at once; everything else, whatever is
 * unusual, late or wrong, goes to the server as if nobody had looked at it (record 14).
 */
export function openFrontDoor(server: Server, take: Take): void {
  const serveHttp = server.listeners('connection') as ((socket: Socket) => void)[];
  /** Who has said nothing yet, and since when; the longest first. */
  const silent = new Map<Socket, number>();

  const forget = (socket: Socket) => {
    silent.delete(socket);
    socket.off('data', onFirst).off('end', leave);
  };
  function leave(this: Socket) {
    forget(this);
    for (const serve of serveHttp) serve.call(server, this);
  }
  function onFirst(this: Socket, chunk: Buffer) {
    forget(this);
    const handshake = readPlainHandshake(chunk);
    if (handshake && take(this, handshake, chunk.subarray(handshake.bytes))) return;
    this.pause();
    this.unshift(chunk);
    leave.call(this);
    process.nextTick(() => this.resume());
  }

  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    silent.set(socket, performance.now());
    socket.on('data', onFirst).on('end', leave).on('error', ignore);
  });
  const looking = setInterval(() => {
    const tooLongAgo = performance.now() - SILENCE_MS;
    for (const [socket, since] of silent) {
      if (since > tooLongAgo) break;
      if (socket.destroyed) silent.delete(socket);
      else leave.call(socket);
    }
  }, SILENCE_MS / 4);
  looking.unref();
  server.on('close', () => clearInterval(looking));
}

/** What is wrong with a connection closes it; there is nobody to tell besides. */
function ignore(): void {}
