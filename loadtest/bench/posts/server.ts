import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers every request with 200 at once, and tells its parent the port. */
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
