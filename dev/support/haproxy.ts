import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { until } from '../../shared/testing/until.ts';
import { freePort } from './freePort.ts';
import { cleanEnvironment, RunningProcess } from './runningProcess.ts';

/** A host that connections may go to, whether it runs or not. */
interface Backend {
  /** Letters and digits. */
  readonly name: string;
  /** `host:port`. */
  readonly address: string;
}

/** Debian's folder of HAProxy, which is often not on the PATH. */
const SBIN = '/usr/sbin';

/**
 * Looks for HAProxy's program.
 *
 * @throws Error that says how to install it, when it is in none of the folders
 */
export function findHaproxy(folders = [...(process.env['PATH'] ?? '').split(delimiter), SBIN]): string {
  const program = folders.map((folder) => join(folder, 'haproxy')).find((path) => existsSync(path));
  if (program) return program;
  throw new Error('there is no haproxy here, the balancer before several hosts: install it (apt-get install haproxy).');
}

/** HAProxy's configuration: pass TCP on to ready hosts in turn, as a network load balancer does. */
export function haproxyConfig(port: number, statsPort: number, backends: readonly Backend[]): string {
  return `
global
  nbthread 1
defaults
  timeout connect 5s
  timeout client 10m
  timeout server 10m
listen hosts
  mode tcp
  bind 127.0.0.1:${port}
  balance roundrobin
  # Whoever meets a host that has just ended is taken to another one.
  retries 3
  option redispatch 1
  option httpchk GET /health/readiness
  default-server check inter 200ms fall 1 rise 1
${backends.map(({ name, address }) => `  server ${name} ${address}\n`).join('')}
listen stats
  mode http
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`;
}

/** A HAProxy process in front of backends. It needs two open files for each connection. */
export class HaProxy extends RunningProcess {
  readonly port: number;
  readonly #statsPort: number;

  private constructor(program: string, config: string, port: number, statsPort: number) {
    super([program, '-db', '-f', config], { environment: cleanEnvironment() });
    this.port = port;
    this.#statsPort = statsPort;
  }

  /** Starts it, and waits until it listens. @throws Error when it is not installed, or does not start */
  static async start(backends: readonly Backend[]): Promise<HaProxy> {
    const program = findHaproxy();
    const directory = mkdtempSync(join(tmpdir(), 'flagwire-haproxy-'));
    const config = join(directory, 'haproxy.cfg');
    try {
      const [port, statsPort] = [await freePort(), await freePort()];
      writeFileSync(config, haproxyConfig(port, statsPort, backends));
      const running = new HaProxy(program, config, port, statsPort);
      await running.ready(async () => (await running.#statuses()).size > 0);
      return running;
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  /** Waits until new connections go to a backend. */
  async isServing(name: string): Promise<void> {
    await until(async () => (await this.#statuses()).get(name) === 'UP');
  }

  /** HAProxy's words for the state of its backends, by name. */
  async #statuses(): Promise<ReadonlyMap<string | undefined, string | undefined>> {
    const text = await (await fetch(`http://127.0.0.1:${this.#statsPort}/;csv`)).text();
    const [head = '', ...lines] = text.replace(/^# /, '').trim().split('\n');
    const names = head.split(',');
    const rows = lines.map((line) => Object.fromEntries(line.split(',').map((value, n) => [names[n] ?? '', value])));
    const hosts = rows.filter((row) => row['pxname'] === 'hosts');
    return new Map(hosts.map((row) => [row['svname'], row['status']]));
  }
}
