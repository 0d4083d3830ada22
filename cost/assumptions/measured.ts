import servers from '../../docs/results/featbit/servers.json' with { type: 'json' };
import functions from '../../docs/results/functions.json' with { type: 'json' };
import idle from '../../docs/results/host/idle.json' with { type: 'json' };
import sizes from '../../docs/results/peers/sizes.json' with { type: 'json' };
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import { lineThrough } from '../../shared/statistics/lineThrough.ts';
import { median } from '../../shared/statistics/quantile.ts';

/** What was measured of the service, as the model needs it. */
export type Measurements = ReturnType<typeof readMeasured>;

/** What the model takes from our own measurements. In those of the host, CPU is in cores, and times are in milliseconds. */
export function readMeasured() {
  const { storms, held, changes, scale } = sizes;
  const fitting = scale.held.filter(({ errors }) => errors === 0);
  // What the host took by itself is in the intercept.
  const { slope, intercept } = lineThrough(held.map(({ connections, cpu }) => [connections / SDK_PING_SECONDS, cpu]));
  const onFeatBitsCore = Object.entries(servers.warm.results).map(
    ([rate, { flagwireBun }]) => median(flagwireBun.cpuPercent) / 100 / Number(rate),
  );
  return {
    /** By function; `post` is a message to one connection. */
    calls: functions.measured,
    /** Bytes of memory of a process with 15,000 connections, and for each connection of several processes. The kernel's part is not in them. */
    hostBytes: median(fitting.map(({ megabytes, processes }) => megabytes / processes)) * 2 ** 20,
    connectionBytes: lineThrough(fitting.map((each) => [each.connections, each.megabytes * 2 ** 20])).slope,
    /** Part of a core that the host took while idle, and milliseconds of it for each of the others. */
    idleCores: idle.idleMs / 1_000,
    pollCoreMs: idle.pollMs,
    pingCoreMs: slope * 1_000,
    /** CPU of a new connection on the core that FeatBit's server was measured on, as a multiple of that of the other figures. */
    featbitCoreFactor: median(onFeatBitsCore) / median(storms.map(({ cpu, opened }) => cpu / opened)),
    syncCoreMs: median(storms.map(({ cpu, opened }) => (cpu - intercept) / opened)) * 1_000,
    // Waiting for the poll of the table, the write and the reads are in every change alike.
    pushCoreMs: lineThrough(changes.map(({ connections, p50Ms }) => [connections, p50Ms])).slope,
  };
}
