import type { Usage } from '../../dev/support/usage.ts';
import type { Pinned } from '../machine/pinned.ts';
import { type ProcessorShare, shareOfProcessor } from '../machine/processorShare.ts';
import { LOOPBACK } from '../machine/serverProcess.ts';
import type { Generator, Testbed } from '../testbed/testbed.ts';
import { ready } from '../testbed/testbed.ts';

/** Files that a generator may have open beside its connections leave it so many of those. */
const CLIENTS_OF_A_GENERATOR = 18_000;

/** As on Fargate in the cost model: most of a small task would be looks for changes. */
const POLL_INTERVAL_MS = '500';

/** What is measured is a running service: its first seconds, on a small share of a processor, would be most of it. */
const WARM_UP = { rate: 1_000, each: 1_000 };

/** Hosts on one table, each held to a share of a processor, and generators whose clients are dealt out among them. */
export class HostTasks {
  readonly #hosts: readonly Pinned[];
  readonly #shares: readonly ProcessorShare[];
  readonly generators: readonly Generator[];

  private constructor(hosts: readonly Pinned[], shares: readonly ProcessorShare[], generators: readonly Generator[]) {
    this.#hosts = hosts;
    this.#shares = shares;
    this.generators = generators;
  }

  /** Runs something with fresh tasks and generators, which end afterwards. @param share of a processor, for each task */
  static async with<T>(
    testbed: Testbed,
    { tasks, share, clients }: { readonly tasks: number; readonly share: number; readonly clients: number },
    use: (tasks: HostTasks) => Promise<T>,
  ): Promise<T> {
    const hosts = Array.from({ length: tasks }, () => testbed.startServer('host', { POLL_INTERVAL_MS }));
    const shares: ProcessorShare[] = [];
    try {
      const ports = await Promise.all(hosts.map((host) => ready(host, 'host')));
      const addresses = LOOPBACK.flatMap((host) => ports.map((port) => ({ host, port })));
      const target = { ...testbed.targetOf('host', 0), addresses };
      await testbed.withGenerators(target, 1, async ([each]) => {
        await each?.ask('storm', { rate: WARM_UP.rate, count: WARM_UP.each * tasks });
      });
      for (const [n, { pid }] of hosts.entries()) {
        const group = shareOfProcessor(share, `${process.pid}-${n}`);
        if (typeof group === 'string') continue;
        shares.push(group);
        group.add(pid);
      }
      const count = Math.ceil(clients / CLIENTS_OF_A_GENERATOR);
      return await testbed.withGenerators(target, count, (generators) => use(new HostTasks(hosts, shares, generators)));
    } finally {
      for (const host of hosts) await host.stop();
      for (const group of shares) group.close();
    }
  }

  /** What each task has used so far. */
  usage(): Usage[] {
    return this.#hosts.map((host) => host.usage());
  }

  /** Whether the kernel holds tasks to their shares; where it does not, what they use is counted against them all the same. */
  get areHeld(): boolean {
    return this.#shares.length === this.#hosts.length;
  }
}
