import { join } from 'node:path';
import { freePort } from '../../support/freePort.ts';
import { GuardedServer } from './guarded.ts';

/** The emulator that makes what ministack does not, EC2 instances among it; from PyPI. */
export const moto = { name: 'moto', requirements: join(import.meta.dirname, 'moto.requirements.txt') };

/** A running moto on a port of 127.0.0.1. */
export interface Moto {
  readonly endpoint: string;
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts it and waits until it answers.
 *
 * @param commands the directory with the command `moto_server`
 * @throws Error naming its log when it ends before, or does not answer
 */
export async function startMoto(commands: string): Promise<Moto> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const server = await GuardedServer.start({
    name: 'moto',
    command: [join(commands, 'moto_server'), '-H', '127.0.0.1', '-p', String(port)],
    environment: () => process.env,
    healthUrl: `${endpoint}/moto-api/`,
  });
  const environment = { AWS_ACCESS_KEY_ID: 'test', AWS_REGION: 'us-east-1' };
  return { endpoint, environment, stop: () => server.close() };
}
