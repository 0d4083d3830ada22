import { connect, type Socket } from 'node:net';
import { constants, deflateRawSync } from 'node:zlib';
import { clientFrame } from '../../../dev/emulator/websocket/frames.ts';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { textFrame } from './clientFrames.ts';
import { upgradeRequest } from './rawClient.ts';

/*
 * A client that floods a host, in a process of its own: `flooder.ts <port> <client key>`. A message names the kind of flood, or ends it.
 * Ten times a second it writes half a megabyte, which is forty megabits a second, and reads nothing. A closed connection is replaced.
 */

const [port, key = ''] = process.argv.slice(2);
const EVERY_MS = 100;
const BURST_BYTES = 512 * 1024;

const mask = Uint8Array.of(1, 2, 3, 4);
/** 31 KB of JSON, in a frame of some hundred bytes. */
const large = `{"messageType":"ping","data":[${'[],'.repeat(10_400)}[]]}`;
const deflated = deflateRawSync(large, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4);
const body = '{"context":{"targetingKey":"u1"}}';

const frames = {
  compressed: clientFrame({ first: 0xc1, payload: deflated, mask }),
  uncompressed: textFrame(large),
  pings: textFrame('{"messageType":"ping","data":null}'),
};
const requests = {
  pipelined: `POST /ofrep/v1/evaluate/flags HTTP/1.1\r\nHost: h\r\nX-API-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  streams: `GET /ofrep/v1/event-stream?key=${key} HTTP/1.1\r\nHost: h\r\n\r\n`,
  metrics: 'GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n',
  unknown: 'GET / HTTP/1.1\r\nHost: h\r\n\r\n',
};
const burstOf = (piece: Buffer) => Buffer.concat(Array<Buffer>(Math.ceil(BURST_BYTES / piece.length)).fill(piece));
const bursts = new Map(
  Object.entries({ ...frames, ...requests }).map(([kind, piece]) => [kind, burstOf(Buffer.from(piece))]),
);

let flooding: string | undefined;
let socket: Socket | undefined;

function open(kind: string): Socket {
  const opened = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  opened.on('error', () => {});
  if (kind in frames) {
    const token = encodeToken(key, Date.now(), 7);
    const extensions = ['Sec-WebSocket-Extensions: permessage-deflate'];
    opened.write(upgradeRequest(`/streaming?type=client&token=${token}`, extensions));
    // Only so much is read that the end of the connection shows.
    opened.on('data', () => {}).on('end', () => opened.destroy());
  } else {
    opened.pause();
    setTimeout(() => opened.destroy(), 5 * EVERY_MS);
  }
  return opened;
}

setInterval(() => {
  if (!flooding) return;
  if (!socket || socket.destroyed) socket = open(flooding);
  if (socket.writableLength < BURST_BYTES) socket.write(bursts.get(flooding) ?? '');
}, EVERY_MS);

process.on('message', (kind: string) => {
  socket?.destroy();
  flooding = bursts.has(kind) ? kind : undefined;
  process.send?.(kind);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
