import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The ports that it chooses from, the end not included: under those that systems give by themselves, to a program that connects
 * or listens on port 0 (from 32768 on Linux, from 49152 on macOS and Windows), and over those of well-known services.
 */
export const FREE_PORTS = { from: 16_384, to: 32_768 } as const;
const ATTEMPTS = 100;

/**
 * Finds a free port of 127.0.0.1, for a server that is started later or restarted.
 * Systems give none of {@link FREE_PORTS} to any other program, and it is chosen at random, since tests run side by side.
 *
 * @throws Error when none is found in 100 attempts
 */
export async function freePort(
  choose: () => number = () => randomInt(FREE_PORTS.from, FREE_PORTS.to),
): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = choose();
    if (await isFree(port)) return port;
  }
  throw new Error(`127.0.0.1 has no free port among ${ATTEMPTS} from ${FREE_PORTS.from} to ${FREE_PORTS.to - 1}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
