import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Received } from './connectionsServer.ts';

/** Paths of a key and the certificate that goes with it. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** API Gateway's `@connections`, played by a process of its own. */
export class PlayedConnections {
  readonly endpoint: string;
  readonly #process: ChildProcess;

  private constructor(endpoint: string, process: ChildProcess) {
    this.endpoint = endpoint;
    this.#process = process;
  }

  /**
   * @param latencyMs how long it takes for a message
   * @param tls where its key and certificate are; without them it speaks HTTP
   */
  static async start(latencyMs = 0, tls?: Certificate): Promise<PlayedConnections> {
    const args = [String(latencyMs), ...(tls ? [tls.key, tls.certificate] : [])];
    const process = fork(join(import.meta.dirname, 'connectionsServer.ts'), args);
    const [port] = (await once(process, 'message')) as [number];
    const origin = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
    return new PlayedConnections(`${origin}/streaming`, process);
  }

  /** What it was sent since it was last asked. */
  async received(): Promise<Received> {
    this.#process.send('received');
    const [received] = (await once(this.#process, 'message')) as [Received];
    return received;
  }

  close(): void {
    this.#process.kill();
  }
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
