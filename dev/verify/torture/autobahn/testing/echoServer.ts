import { startEchoServer } from '../../../../../functions/host/testing/echoServer.ts';

/*
 * The host's transport with an echo behind it in place of the protocol, as Autobahn wants it. Framing, limits and close
 * codes are those of the host. It prints its port, and ends by a signal.
 */
const { port } = await startEchoServer();
console.log(JSON.stringify({ message: 'listening', port }));
