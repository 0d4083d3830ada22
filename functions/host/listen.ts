import type { Listening, Service } from './service.ts';

/** Whether this process is Bun. */
export const isBun = 'bun' in process.versions;

/** Serves HTTP and WebSockets on one port, by what the runtime has for it. @returns once it listens */
export async function listen(service: Service): Promise<Listening> {
  const { serve } = isBun ? await import('./bunServer.ts') : await import('./nodeServer.ts');
  return serve(service);
}
