import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ofRepository, RunningProcess } from '../../dev/support/runningProcess.ts';
import type { ConnectionsRequests, ReceivedCounts } from './connectionsServer.ts';

/** Paths of a key and its certificate. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** API Gateway's `@connections`, played by a process of its own. */
export interface PlayedConnections {
  readonly endpoint: string;
  /** What it was sent since the last call. */
  readonly received: () => Promise<ReceivedCounts>;
  readonly close: () => Promise<unknown>;
}

/**
 * @param latencyMs how long it takes for a message
 * @param tls where its key and certificate are; without them it speaks HTTP
 */
export async function startConnections(latencyMs = 0, tls?: Certificate): Promise<PlayedConnections> {
  const args = [String(latencyMs), ...(tls ? [tls.key, tls.certificate] : [])];
  const server = new RunningProcess(ofRepository('loadtest/machine/connectionsServer.ts', args), {
    stderr: 'inherit',
    hasIpc: true,
  });
  const { port } = await server.listening();
  const ask = server.requests<ConnectionsRequests>();
  return {
    endpoint: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${port}/streaming`,
    received: () => ask('received', null),
    close: () => server.stop(),
  };
}

/** Makes a certificate for localhost. @throws where there is no openssl */
export function makeCertificate(folder: string): Certificate {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  });
  return { key, certificate };
}
