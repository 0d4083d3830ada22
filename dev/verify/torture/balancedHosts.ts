import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/freePort.ts';
import { HaProxy } from '../../support/haproxy.ts';
import { HostProcess, type TableOfStack } from '../../support/hostProcess.ts';
import type { Hosts } from './service.ts';

/** Numbers of running hosts and of places. A new host gets the address that was free for longest. */
const RUNNING = 3;
const PLACES = 4;

/**
 * Starts three hosts on one table behind HAProxy, and waits until each gets connections. `end` ends the oldest host, and `start` adds
 * one.
 *
 * @param directory gets a folder for each host
 */
export async function startBalancedHosts(stack: TableOfStack, directory: string): Promise<Hosts> {
  const port = String(await freePort());
  // Each host has its own address, as on separate machines, so that no outgoing connection can take its port.
  const free = Array.from({ length: PLACES }, (_, n) => ({ name: `host${n + 1}`, host: `127.0.0.${n + 11}` }));
  const balancer = await HaProxy.start(free.map(({ name, host }) => ({ name, address: `${host}:${port}` })));
  const running: { readonly place: (typeof free)[number]; readonly process: HostProcess }[] = [];
  const hosts: Hosts = {
    port: balancer.port,
    process: balancer,
    async start() {
      const place = free.shift();
      if (!place) throw new Error(`all ${PLACES} places have a host: end one first.`);
      const own = join(directory, place.name);
      mkdirSync(own, { recursive: true });
      const files = { STATE_DIR: join(own, 'state'), INSIGHT_FILE: join(own, 'insights.ndjson') };
      const settings = { HOST: place.host, PORT: port, DRAIN_MS: '500', ...files };
      running.push({ place, process: await HostProcess.start(stack, settings) });
      await balancer.isServing(place.name);
    },
    async end(signal) {
      const oldest = running.shift();
      if (!oldest) throw new Error('there is no host left to end.');
      await oldest.process.stop(signal);
      free.push(oldest.place);
    },
    async close() {
      await Promise.all([balancer, ...running.map(({ process }) => process)].map((each) => each.stop('SIGKILL')));
    },
  };
  try {
    await Promise.all(Array.from({ length: RUNNING }, () => hosts.start()));
    return hosts;
  } catch (error) {
    await hosts.close();
    throw error;
  }
}
