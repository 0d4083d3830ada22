import type { Assumptions } from '../model/workload/assumptions.ts';
import judged from './judged.json' with { type: 'json' };
import { durations, FUNCTIONS, logSizes, postDuration } from './lambdaRanges.ts';
import type { Measurements } from './measured.ts';
import { exactly, type Range } from './rangesOf.ts';

/** Where the measurements of the host are. */
const HOST = 'docs/results/peers/sizes.json';
const IDLE = 'docs/results/host/idle.json';

/** Flags of the benchmark's environment, that the measured answers are made of. */
const REFERENCE_FLAGS = 5;

/** Bytes that the kernel takes for a socket, and what a host takes for one in a large environment (judgement). */
const KERNEL_BYTES = 4_096;
const EXPECTED_BYTES = 12 * 1_024;

/**
 * Processor time on a t2.micro, as a multiple of that on the core where FeatBit's server was measured. There, a later release of
 * FeatBit's server takes as much of a core as it published for a t2.micro. The highest is judgement.
 */
export const T2_OF_ONE_CORE = { low: 1, high: 4 };

/** All assumptions: from the measurements, and those of judged.json. */
export function rangesFrom(measured: Measurements): Readonly<Record<keyof Assumptions, Range>> {
  const { calls, hostBytes, connectionBytes, idleCores, pollCoreMs, pingCoreMs, syncCoreMs, pushCoreMs } = measured;
  const { featbitCoreFactor } = measured;
  const ofCore = (ms: number, what: string, source: string) => exactly(ms, 'ms of a core', what, source);
  return {
    ...durations(measured),
    postMs: postDuration(measured),
    ...logSizes(measured),
    ...judged,
    t2CoreFactor: {
      low: T2_OF_ONE_CORE.low * featbitCoreFactor,
      expected: T2_OF_ONE_CORE.high * featbitCoreFactor,
      high: T2_OF_ONE_CORE.high * featbitCoreFactor,
      unit: 'times',
      meaning: 't2.micro: processor time, compared with the measured core',
      source: `low: the core of docs/results/featbit/servers.json, compared with the core of ${HOST}; high: ${T2_OF_ONE_CORE.high} times low (judgement), and expected is the worst`,
    },
    clientFlagBytes: exactly(
      calls.sync.answerBytes / REFERENCE_FLAGS,
      'bytes',
      'flag: size as a client-side SDK receives it',
      `the benchmark’s flags, ${FUNCTIONS}`,
    ),
    hostBytes: exactly(
      hostBytes,
      'bytes',
      'host: memory without connections and flags',
      `${HOST}: that of a process with 15,000 connections, so it is less`,
    ),
    connectionBytes: {
      low: connectionBytes + KERNEL_BYTES,
      expected: EXPECTED_BYTES + KERNEL_BYTES,
      high: 36_000,
      unit: 'bytes',
      meaning: 'host: memory for a connection, including the kernel’s',
      source: `${HOST}: low as measured with several processes. Expected and high are judgement`,
    },
    idleCores: exactly(idleCores, 'of a core', 'host: processor use, without polls for changes', IDLE),
    pollCoreMs: ofCore(pollCoreMs, 'host: processor time of a poll for changes', IDLE),
    pingCoreMs: ofCore(pingCoreMs, 'host: processor time of a ping and its pong', HOST),
    syncCoreMs: ofCore(syncCoreMs, 'host: processor time of a connection with its data-sync', HOST),
    pushCoreMs: ofCore(pushCoreMs, 'host: processor time of a change to one connection', HOST),
    requestCoreMs: ofCore(
      calls.http.cpuMs,
      'host: processor time of a request with insight events, as in the function, which also writes the counts',
      FUNCTIONS,
    ),
  };
}
