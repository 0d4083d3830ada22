import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { INBOUND_LIMIT_BYTES } from '../../shared/protocol/message.ts';
import { CLOSE_PATIENCE_MS, type OnOpen, type Transport } from './transport.ts';

/** Answers a request for a WebSocket. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer, query: URLSearchParams) => void;

/** WebSockets by the `ws` library. Messages over the protocol's limit end a connection with 1009, binary ones with 1003. */
export function createWsUpgrade(onOpen: OnOpen): Upgrade {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: INBOUND_LIMIT_BYTES,
    ...{ closeTimeout: CLOSE_PATIENCE_MS },
  });
  return (request, socket, head, query) => {
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const { onMessage, onClose } = onOpen(transportOf(webSocket, socket), query);
      webSocket.on('message', (data: RawData, isBinary) => {
        if (isBinary) webSocket.close(1003, 'Unsupported data');
        else onMessage(String(data));
      });
      webSocket.on('close', onClose);
      // What is wrong with a frame closes the connection; there is nobody to tell besides.
      webSocket.on('error', () => {});
    });
  };
}

function transportOf(webSocket: WebSocket, { writableHighWaterMark }: Duplex): Transport {
  const isFull = () => webSocket.bufferedAmount > writableHighWaterMark;
  const onSent = () => {
    if (webSocket.isPaused && !isFull()) webSocket.resume();
  };
  return {
    get bufferedBytes() {
      return webSocket.bufferedAmount;
    },
    send(text) {
      webSocket.send(text, onSent);
      if (isFull()) webSocket.pause();
    },
    close(code, reason) {
      webSocket.resume();
      webSocket.close(code, reason);
    },
    terminate: () => webSocket.terminate(),
  };
}
