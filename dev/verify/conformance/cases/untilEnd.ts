import { afterEach } from '@jest/globals';
import { RawSocket } from '../../../support/rawSocket.ts';

/** What ends the clients of the running test. */
const ends: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

/** Closes a client after the test. @returns it */
export function untilEnd<Client extends { close(): unknown }>(client: Client): Client {
  ends.push(() => client.close());
  return client;
}

/** Opens a connection as {@link RawSocket.open} does, and closes it after the test. */
export async function openSocket(...options: Parameters<typeof RawSocket.open>): Promise<RawSocket> {
  return untilEnd(await RawSocket.open(...options));
}
