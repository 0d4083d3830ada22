import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/freePort.ts';
import { HaProxy } from '../../support/haproxy.ts';
import { HostProcess, type TableOfStack } from '../../support/hostProcess.ts';
import type { Hosts } from './service.ts';

/** Numbers of running hosts and of places behind a balancer. A new host gets the address that was free for longest. */
const RUNNING = 3;
const PLACES = 4;

/**
 * Starts one host, or three on one table behind HAProxy, and waits until each gets connections. `end` ends the oldest host, and
 * `start` adds one.
 *
 * @param directory gets a folder for each host
 */
export async function startHosts(stack: TableOfStack, directory: string, isBalanced: boolean): Promise<Hosts> {
  const port = await freePort();
  // Each host has its own address, as on separate machines, so that no outgoing connection can take its port.
  const places = Array.from({ length: PLACES }, (_, n) => ({ name: `host${n + 1}`, host: `127.0.0.${n + 11}` }));
  const free = isBalanced ? places : [{ name: 'host', host: '127.0.0.1' }];
  const backends = free.map(({ name, host }) => ({ name, address: `${host}:${port}` }));
  const balancer = isBalanced ? await HaProxy.start(backends) : undefined;
  const running: { readonly place: (typeof free)[number]; readonly process: HostProcess }[] = [];
  let newest: HostProcess | undefined;
  const hosts: Hosts = {
    port: balancer?.port ?? port,
    get process() {
      return balancer ?? (newest as HostProcess);
    },
    async start() {
      const place = free.shift();
      if (!place) throw new Error('all places have a host: end one first.');
      const own = join(directory, place.name);
      mkdirSync(own, { recursive: true });
      const files = { STATE_DIR: join(own, 'state'), INSIGHT_FILE: join(own, 'insights.ndjson') };
      const settings = { HOST: place.host, PORT: String(port), DRAIN_MS: '500', ...files };
      newest = await HostProcess.start(stack, settings);
      running.push({ place, process: newest });
      await balancer?.isServing(place.name);
    },
    async end(signal) {
      const oldest = running.shift();
      if (!oldest) throw new Error('there is no host left to end.');
      await oldest.process.stop(signal);
      free.push(oldest.place);
    },
    async close() {
      const all = [...(balancer ? [balancer] : []), ...running.map(({ process }) => process)];
      await Promise.all(all.map((each) => each.stop('SIGKILL')));
    },
  };
  try {
    await Promise.all(Array.from({ length: isBalanced ? RUNNING : 1 }, () => hosts.start()));
    return hosts;
  } catch (error) {
    await hosts.close();
    throw error;
  }
}
