import type { FunctionName } from '../../prices/serviceFacts.ts';

/** Milliseconds billed for a call of each function; of `deliver` without its messages. */
export type Durations = Readonly<Record<`${FunctionName}Ms`, number>>;

/** Bytes of log that a call of each function leaves itself, metrics for the most part. */
export type LogSizes = Readonly<Record<`${FunctionName}LogBytes`, number>>;

/**
 * What the model has to assume in addition to workload and prices, each as one number. Where it comes from, and how far it may be
 * off, is in assumptions/ranges.ts.
 */
export interface Assumptions extends Durations, LogSizes {
  /** Milliseconds of `deliver` for each message to a connection. */
  readonly postMs: number;
  /** Part of the syncs and connects that meet a new instance, and milliseconds billed for its start. */
  readonly coldShare: number;
  readonly coldMs: number;
  /** Bytes of log that API Gateway writes for a message or request. */
  readonly accessLogBytes: number;
  /** Instances that read a change for the environment they keep in memory, in addition to those that deliver it. */
  readonly readersPerChange: number;
  /** Bytes of a flag as a client-side SDK gets it. */
  readonly clientFlagBytes: number;
  /** Bytes on the wire that each message takes in addition to its own, and each handshake with TLS. */
  readonly frameBytes: number;
  readonly handshakeBytes: number;
  /** Part of its size that a compressed reply of a host to a client-side SDK has on the wire. */
  readonly compressedShare: number;
  /** Insight events in one HTTP request, and bytes of each. */
  readonly eventsPerRequest: number;
  readonly eventBytes: number;
  /** Bytes of memory of a host without connections, for each connection, and for each byte of served flags. */
  readonly hostBytes: number;
  readonly connectionBytes: number;
  readonly documentFactor: number;
  /** Seconds on a core of a t2.micro, or of Fargate, for what took one on the core that was measured. */
  readonly t2CoreFactor: number;
  readonly fargateCoreFactor: number;
  /** Part of the measured core that a host takes while nothing happens, and milliseconds of it for what does. */
  readonly idleCores: number;
  readonly pollCoreMs: number;
  readonly pingCoreMs: number;
  readonly syncCoreMs: number;
  readonly pushCoreMs: number;
  readonly requestCoreMs: number;
}
