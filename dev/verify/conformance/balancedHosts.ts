import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/freePort.ts';
import { HaProxy } from '../../support/haproxy.ts';
import { HostProcess, type TableOfStack } from '../../support/hostProcess.ts';

/** Numbers of running hosts and of places. A new host gets the address that was free for longest. */
const RUNNING = 3;
const PLACES = 4;

/** An address for a host. The balancer always checks it. */
interface Place {
  readonly name: string;
  readonly host: string;
}

/** Hosts on one table behind HAProxy, which can be ended and added while clients are connected. */
export class BalancedHosts {
  /** The process at the port. */
  readonly process: HaProxy;
  readonly #start: (place: Place) => Promise<HostProcess>;
  /** The oldest first. */
  readonly #running: { readonly place: Place; readonly process: HostProcess }[] = [];
  /** Those that have been free for longest first. */
  readonly #free: Place[];

  private constructor(balancer: HaProxy, places: Place[], start: (place: Place) => Promise<HostProcess>) {
    this.process = balancer;
    this.#free = places;
    this.#start = start;
  }

  /**
   * Starts three of them, and waits until each is given connections.
   *
   * @param directory for what they keep, a folder for each place
   */
  static async open(stack: TableOfStack, directory: string): Promise<BalancedHosts> {
    const port = String(await freePort());
    // Each host has its own address, as on separate machines, so that no outgoing connection can take its port.
    const places = Array.from({ length: PLACES }, (_, n) => ({ name: `host${n + 1}`, host: `127.0.0.${n + 11}` }));
    const balancer = await HaProxy.start(places.map(({ name, host }) => ({ name, address: `${host}:${port}` })));
    const hosts = new BalancedHosts(balancer, places, ({ name, host }) => {
      const own = join(directory, name);
      mkdirSync(own, { recursive: true });
      const kept = { STATE_DIR: join(own, 'state'), INSIGHT_FILE: join(own, 'insights.ndjson') };
      return HostProcess.start(stack, { HOST: host, PORT: port, DRAIN_MS: '500', ...kept });
    });
    try {
      await Promise.all(Array.from({ length: RUNNING }, () => hosts.start()));
      return hosts;
    } catch (error) {
      await hosts.close();
      throw error;
    }
  }

  get port(): number {
    return this.process.port;
  }

  /** Starts one more, and waits until it is given connections. @throws Error when there is no place left */
  async start(): Promise<void> {
    const place = this.#free.shift();
    if (!place) throw new Error(`all ${PLACES} places have a host: end one first.`);
    this.#running.push({ place, process: await this.#start(place) });
    await this.process.isServing(place.name);
  }

  /** Ends the oldest, and waits until it is gone. @param signal `SIGTERM` has it drain */
  async end(signal: NodeJS.Signals): Promise<void> {
    const oldest = this.#running.shift();
    if (!oldest) throw new Error('there is no host left to end.');
    await oldest.process.stop(signal);
    this.#free.push(oldest.place);
  }

  async close(): Promise<void> {
    await Promise.all(
      [this.process, ...this.#running.map(({ process }) => process)].map((each) => each.stop('SIGKILL')),
    );
  }
}
