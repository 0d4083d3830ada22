import type { Assumptions } from '../model/assumptions.ts';
import { CORE_FACTOR, FUNCTIONS, HOST, JUDGEMENT } from './coreFactor.ts';
import { durations, logSizes, postDuration } from './lambdaRanges.ts';
import type { Measurements } from './measured.ts';
import { exactly, type Range } from './rangesOf.ts';

/** Flags of the benchmark's environment, that the measured answers are made of. */
const REFERENCE_FLAGS = 5;

/** Bytes that the kernel takes for a socket, and that the benchmark allows a host for each. */
const KERNEL_BYTES = 4_096;
const BOUND_BYTES = 12 * 1_024;

/** Everything assumed, from what was measured. */
export function rangesFrom(measured: Measurements): Readonly<Record<keyof Assumptions, Range>> {
  const { calls, hostBytes, connectionBytes, idleCores, pollCoreMs, pingCoreMs, syncCoreMs, pushCoreMs } = measured;
  const between = (
    [low, expected, high]: readonly [number, number, number],
    unit: string,
    meaning: string,
    source: string,
  ): Range => ({ expected, low, high, unit, meaning, source });
  const ofCore = (ms: number, what: string, source: string) => exactly(ms, 'ms of a core', what, source);
  return {
    ...durations(measured),
    postMs: postDuration(measured),
    ...logSizes(measured),
    coldShare: between([0.001, 0.01, 0.1], 'of calls', 'connects and data-syncs that meet a new instance', JUDGEMENT),
    coldMs: between(
      [250, 500, 1_500],
      'ms',
      'billed for the start of an instance',
      'time to load the bundles (npm run bench -- bundles) on a third of a core',
    ),
    accessLogBytes: between(
      [170, 189, 300],
      'bytes',
      'of access log for a message or request',
      'the fields of infra/constructs/accessLogs.ts, filled in',
    ),
    readersPerChange: between([0, 4, 50], 'instances', 'of sync that read a change after it was made', JUDGEMENT),
    clientFlagBytes: exactly(
      (calls['sync']?.answerBytes ?? Number.NaN) / REFERENCE_FLAGS,
      'bytes',
      'of a flag as a client-side SDK gets it',
      `the benchmark’s flags, ${FUNCTIONS}`,
    ),
    frameBytes: between(
      [70, 128, 220],
      'bytes',
      'on the wire in addition to a message: framing, TLS, TCP and its acknowledgement',
      'protocol headers; which of them AWS counts is not documented',
    ),
    handshakeBytes: between(
      [500, 4_500, 6_500],
      'bytes',
      'sent for a handshake with TLS, most of them the certificates',
      'a usual certificate chain',
    ),
    eventsPerRequest: between(
      [50, 10, 1],
      'events',
      'in one request with insight events',
      'SDKs send what came together in some seconds',
    ),
    eventBytes: exactly(400, 'bytes', 'of an insight event', 'the protocol’s form with a user of some attributes'),
    hostBytes: exactly(hostBytes, 'bytes', 'of memory that a host takes without connections and flags', HOST),
    connectionBytes: between(
      [connectionBytes + KERNEL_BYTES, BOUND_BYTES + KERNEL_BYTES, 36_000],
      'bytes',
      'of memory for a connection, the kernel’s part included',
      `${HOST}: as measured, as its benchmark allows, and as if the 18,000 that were held were all that fit`,
    ),
    documentFactor: between([2, 4, 8], 'bytes', 'of memory for each byte of the flags that are served', JUDGEMENT),
    spotPriceShare: between(
      [0.3, 0.4, 0.5],
      'of the price',
      'of other tasks on Fargate that those on Spot cost',
      'by https://aws.amazon.com/fargate/pricing/ up to 70 % less, with supply and demand',
    ),
    t2CoreFactor: between([2, 3, 4], 'times', 'as long on a t2.micro’s core as on the one measured', JUDGEMENT),
    fargateCoreFactor: {
      ...CORE_FACTOR,
      unit: 'times',
      meaning: 'as long on Fargate as on the core measured',
      source: JUDGEMENT,
    },
    idleCores: exactly(idleCores, 'of a core', 'that a host takes in addition to polling for changes', FUNCTIONS),
    pollCoreMs: ofCore(pollCoreMs, 'for a host’s look for changes', FUNCTIONS),
    pingCoreMs: ofCore(pingCoreMs, 'for a ping and its pong', HOST),
    syncCoreMs: ofCore(syncCoreMs, 'for a connection with its data-sync', HOST),
    pushCoreMs: ofCore(pushCoreMs, 'for a change to one connection', HOST),
    requestCoreMs: ofCore(calls['http']?.cpuMs ?? Number.NaN, 'for a request with insight events', FUNCTIONS),
  };
}
