import type { Assumptions } from '../model/workload/assumptions.ts';
import { CORE_FACTOR, FUNCTIONS, HOST, JUDGEMENT } from './coreFactor.ts';
import { durations, logSizes, postDuration } from './lambdaRanges.ts';
import type { Measurements } from './measured.ts';
import { exactly, type Range } from './rangesOf.ts';

/** Flags of the benchmark's environment, that the measured answers are made of. */
const REFERENCE_FLAGS = 5;

/** Bytes that the kernel takes for a socket, and that the benchmark allows a host for each. */
const KERNEL_BYTES = 4_096;
const BOUND_BYTES = 12 * 1_024;

/** All assumptions, from the measurements. */
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
    coldShare: between(
      [0.001, 0.01, 0.1],
      'of calls',
      'connects and data-syncs: share that waits for a new instance',
      JUDGEMENT,
    ),
    coldMs: between(
      [250, 500, 1_500],
      'ms',
      'start of an instance: billed duration',
      'time to load the bundles (a benchmark of version 0.2.0) on a third of a core',
    ),
    accessLogBytes: between(
      [170, 189, 300],
      'bytes',
      'message or request: access log',
      'the fields of infra/constructs/streaming/accessLogs.ts, filled in',
    ),
    readersPerChange: between(
      [0, 4, 50],
      'instances',
      'sync: instances that read a change after it was made',
      JUDGEMENT,
    ),
    clientFlagBytes: exactly(
      (calls['sync']?.answerBytes ?? Number.NaN) / REFERENCE_FLAGS,
      'bytes',
      'flag: size as a client-side SDK receives it',
      `the benchmark’s flags, ${FUNCTIONS}`,
    ),
    frameBytes: between(
      [70, 128, 220],
      'bytes',
      'message: overhead of framing, TLS, TCP and its acknowledgement',
      'protocol headers; AWS does not document which of them it counts',
    ),
    handshakeBytes: between(
      [500, 4_500, 6_500],
      'bytes',
      'handshake with TLS: data sent, mostly certificates',
      'a usual certificate chain',
    ),
    compressedShare: between(
      [0.2, 0.3, 1],
      'of its size',
      'host: reply of 4 KB or more to a client-side SDK, compressed',
      `a reply of 200 flags shrinks to 0.25 of its size. The share of clients that accept compression is ${JUDGEMENT}. On Node it is 1`,
    ),
    eventsPerRequest: between(
      [50, 10, 1],
      'events',
      'insight events in a request',
      'SDKs collect events for some seconds',
    ),
    eventBytes: exactly(400, 'bytes', 'insight event: size', 'the protocol’s form with a user of some attributes'),
    hostBytes: exactly(hostBytes, 'bytes', 'host: memory without connections and flags', HOST),
    connectionBytes: between(
      [connectionBytes + KERNEL_BYTES, BOUND_BYTES + KERNEL_BYTES, 36_000],
      'bytes',
      'host: memory for a connection, including the kernel’s',
      `${HOST}: low as measured, expected as its benchmark allows, high as if the 18,000 connections held were the maximum`,
    ),
    documentFactor: between([2, 4, 8], 'bytes', 'host: memory for each byte of served flags', JUDGEMENT),
    t2CoreFactor: between([2, 3, 4], 'times', 't2.micro: processor time, compared with the measured core', JUDGEMENT),
    fargateCoreFactor: {
      ...CORE_FACTOR,
      unit: 'times',
      meaning: 'Fargate: processor time, compared with the measured core',
      source: JUDGEMENT,
    },
    idleCores: exactly(idleCores, 'of a core', 'host: processor use, without polls for changes', FUNCTIONS),
    pollCoreMs: ofCore(pollCoreMs, 'host: processor time of a poll for changes', FUNCTIONS),
    pingCoreMs: ofCore(pingCoreMs, 'host: processor time of a ping and its pong', HOST),
    syncCoreMs: ofCore(syncCoreMs, 'host: processor time of a connection with its data-sync', HOST),
    pushCoreMs: ofCore(pushCoreMs, 'host: processor time of a change to one connection', HOST),
    requestCoreMs: ofCore(
      calls['http']?.cpuMs ?? Number.NaN,
      'host: processor time of a request with insight events',
      FUNCTIONS,
    ),
  };
}
