import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWsUpgrade } from '../../../../../functions/host/wsTransport.ts';

const UNREAD_PATIENCE_MS = 30_000;

/**
 * The host's transport with an echo behind it in place of the protocol, as Autobahn wants it. Framing, limits and close
 * codes are those of the host. It prints its port, and ends by a signal.
 */
const upgrade = createWsUpgrade(
  (transport) => ({ onMessage: (text) => transport.send(text), onDrain: () => {}, onClose: () => {} }),
  UNREAD_PATIENCE_MS,
);
const server = createServer();
server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, new URLSearchParams()));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(JSON.stringify({ message: 'listening', port: (server.address() as AddressInfo).port }));
