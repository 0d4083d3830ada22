import { setTimeout as sleep } from 'node:timers/promises';
import { readUsage, withCpu } from '../../../dev/support/usage.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { limitCpu } from '../../machine/cpuQuota.ts';
import { openHost, type Target } from '../../runner/target.ts';
import type { Storm } from '../../testbed/load.ts';
import { type Generator, MOST_OPEN, saturate, targetOf, withGenerators } from '../../testbed/testbed.ts';
import { round } from '../benchmark.ts';

/** Processes of the host, and the share of a core that each may use. All share one core. */
const SCALED = [
  [1, 0.25],
  [2, 0.25],
  [4, 0.25],
  [1, 0.5],
  [2, 0.5],
  [1, 1],
] as const;
/** How many measurements there are, if the memory allows 120,000 connections. */
export const SCALES = SCALED.length + 9;
const SATURATION = { concurrency: 64, held: MOST_OPEN, warmUpMs: 15_000, measureMs: 10_000 };
/** Connections of each process, because one can open at most 20,000 files on our machine. */
const HELD_EACH = 15_000;
/** Memory of a t2.micro, in MiB. The resident memory of the processes is compared with it, without the kernel's. */
const MEMORY_MB = 1_024;
/** Longer than the ping interval of SDKs, so that each connection pings. */
const WATCH_MS = 20_000;
/** Connections that send heartbeats, and the share of a core at which StormForge measured the capacity of a container. */
const [BEATING, BUSY] = [MOST_OPEN, 0.8];
const BEAT_MS = 5_000;

/** Measures the host with several processes, on parts of a core, with heartbeats, and with as many connections as its memory allows. @param failed gets why figures are not valid */
export async function measureScale(say: (text: string) => void, failed: string[]) {
  const scaled = [];
  for (const [processes, share] of SCALED) {
    say(`${processes} processes with ${share} of a core each`);
    scaled.push(
      await withHost(processes, 1, async ({ pids }, [generator]) => {
        const free = share < 1 ? limitCpu(pids, share) : () => {};
        try {
          const [{ perSecond, errors }, cpu] = await saturate(generator, pids, SATURATION);
          return { processes, share, newPerSecond: round(perSecond), cpu: round(cpu), errors };
        } finally {
          free();
        }
      }),
    );
  }
  say('heartbeats');
  const heartbeats = await withHost(1, 1, async ({ pids }, [generator]) => {
    await generator.ask('storm', { rate: 1_000, count: BEATING });
    for (let wanted = BEATING / 2; ; wanted *= 1.25) {
      const before = await generator.ask('ping', BEATING / wanted);
      const tallied = sleep(BEAT_MS).then(() => generator.ask('tally', null));
      const [pongs, cpu] = await withCpu(pids, tallied);
      const perSecond = (pongs.pongs - before.pongs) / (BEAT_MS / 1_000);
      if (cpu >= BUSY || perSecond < 0.9 * wanted) {
        const isAtLeast = cpu < BUSY;
        if (isAtLeast)
          failed.push(`heartbeats: the load generator was busy before the host used ${BUSY * 100} % of a core`);
        const perSecondAt80 = round(isAtLeast ? perSecond : (perSecond * BUSY) / cpu);
        return { perSecond: round(perSecond), cpu: round(cpu), perSecondAt80, isAtLeast, errors: pongs.errors };
      }
    }
  });
  const held = [];
  for (let processes = 2, memory = 0; memory < MEMORY_MB; processes++) {
    const connections = processes * HELD_EACH;
    say(`${connections} connections held`);
    const found = await withHost(processes, processes, async ({ pids }, generators) => {
      const { cpu, errors } = await hold(generators, pids, { rate: 1_000 / processes, count: HELD_EACH });
      const megabytes = round(sumOf(pids, (pid) => readUsage(pid).resident) / 2 ** 20);
      return { connections, processes, megabytes, cpu, errors };
    });
    memory = found.megabytes;
    held.push(found);
  }
  const fitting = held.filter(({ megabytes, errors }) => megabytes < MEMORY_MB && errors === 0);
  return { scaled, heartbeats, held, mostHeld: fitting.at(-1)?.connections ?? 0 };
}

/** Holds connections of each generator that ping like SDKs. @returns the share of a core that the servers use meanwhile, and what went wrong */
export async function hold(generators: readonly Generator[], pids: readonly number[], load: Storm) {
  await Promise.all(generators.map(({ ask }) => ask('storm', load)));
  await Promise.all(generators.map(({ ask }) => ask('ping', null)));
  const [, cpu] = await withCpu(pids, sleep(WATCH_MS));
  const tallies = await Promise.all(generators.map(({ ask }) => ask('tally', null)));
  return {
    cpu: round(cpu),
    errors: sumOf(tallies, ({ errors }) => errors),
    unanswered: sumOf(tallies, ({ pings, pongs }) => pings - pongs),
  };
}

async function withHost<T>(
  processes: number,
  generators: number,
  use: (target: Target, generators: [Generator, ...Generator[]]) => Promise<T>,
): Promise<T> {
  const target = await openHost(processes);
  return withGenerators(targetOf(target), generators, (all) => use(target, all)).finally(target.close);
}
