import { HostConfigError } from '../settings/config.ts';
import type { Listener, Service } from './service.ts';
import { readTls, type TlsIdentity, watchTls } from './tlsFiles.ts';

/** Whether this process is Bun. */
export const isBun = 'bun' in process.versions;

/** A served port. */
export type ListeningPort = Pick<Listener, 'port' | 'close' | 'endAll'>;

/**
 * Serves HTTP and WebSockets on one port with the runtime's server, over TLS if there is a certificate.
 *
 * @returns when it listens
 * @throws {HostConfigError} if the address is not available or the certificate is invalid
 */
export async function listen(service: Service): Promise<ListeningPort> {
  const { tls } = service.config;
  if (!tls) return serve(service);
  const identity = readTls(tls);
  const { port, renew, close, endAll } = await serve(service, identity);
  const unwatch = watchTls(tls, identity, renew, service.onFailed);
  return {
    port,
    endAll,
    close() {
      unwatch();
      close();
    },
  };
}

async function serve(service: Service, tls?: TlsIdentity): Promise<Listener> {
  const server = isBun ? await import('./bunServer.ts') : await import('./nodeServer.ts');
  try {
    return await server.serve(service, tls);
  } catch (error) {
    const { host, port } = service.config;
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === 'EADDRINUSE'
        ? `is in use: set ${service.portSetting} to another port, or stop the process that uses it`
        : `cannot be opened: ${message}`;
    throw new HostConfigError(`${host}, port ${port} ${why}`);
  }
}
