import type { Assumptions } from '../model/assumptions.ts';
import { CORE_FACTOR, FUNCTIONS, HOST, JUDGEMENT } from './coreFactor.ts';
import { durations, logSizes, postDuration } from './lambdaRanges.ts';
import type { Measured } from './measured.ts';
import { exactly, type Range } from './rangesOf.ts';

/** Flags of the benchmark's environment, that the measured answers are made of. */
const REFERENCE_FLAGS = 5;

/** Everything assumed, from what was measured. */
export function rangesFrom(measured: Measured): Readonly<Record<keyof Assumptions, Range>> {
  const { calls, connectionsHeld, idleCores, pollCoreMs, pingCoreMs, syncCoreMs, pushCoreMs } = measured;
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
      'time to load the bundles (npm run bench:bundles) on a third of a core',
    ),
    accessLogBytes: between(
      [250, 310, 400],
      'bytes',
      'of access log for a message or request',
      'the fields of infra/cdk/constructs/accessLogs.ts, filled in',
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
      'on the wire beside a message: framing, TLS, TCP and its acknowledgement',
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
    connectionsPerProcess: between(
      [4 * connectionsHeld, connectionsHeld, connectionsHeld / 2],
      'connections',
      'that one host process holds in 1 GiB',
      `${HOST}: as many as were held here, where a process may open no more files; memory alone would do for ten times that`,
    ),
    t2CoreFactor: between([2, 3, 4], 'times', 'as long on a t2.micro’s core as on the one measured', JUDGEMENT),
    fargateCoreFactor: {
      ...CORE_FACTOR,
      unit: 'times',
      meaning: 'as long on Fargate as on the core measured',
      source: JUDGEMENT,
    },
    idleCores: exactly(idleCores, 'of a core', 'that a host takes beside its looks for changes', FUNCTIONS),
    pollCoreMs: ofCore(pollCoreMs, 'for a host’s look for changes', FUNCTIONS),
    pingCoreMs: ofCore(pingCoreMs, 'for a ping and its pong', HOST),
    syncCoreMs: ofCore(syncCoreMs, 'for a connection with its data-sync', HOST),
    pushCoreMs: ofCore(pushCoreMs, 'for a change to one connection', HOST),
    requestCoreMs: ofCore(calls['http']?.cpuMs ?? Number.NaN, 'for a request with insight events', FUNCTIONS),
  };
}
