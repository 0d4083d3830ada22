import type { Listening, Service } from './service.ts';
import { readTls, watchTls } from './tlsFiles.ts';

/** Whether this process is Bun. */
export const isBun = 'bun' in process.versions;

/**
 * Serves HTTP and WebSockets on one port, by what the runtime has for it, over TLS where there is a certificate.
 *
 * @returns once it listens
 * @throws Error when the address cannot be had, or the certificate cannot be used
 */
export async function listen(service: Service): Promise<Pick<Listening, 'port' | 'close' | 'endAll'>> {
  const { serve } = isBun ? await import('./bunServer.ts') : await import('./nodeServer.ts');
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
