import { EVENT_STEP, LARGEST_MESSAGE, MESSAGE_STEP, VERSION_REPLICAS } from '../../prices/serviceFacts.ts';
import type { Assumptions } from './assumptions.ts';
import type { Workload } from './workload.ts';

const KB = 1_024;

/** Attributes of a stored document next to the document, in bytes. */
const ATTRIBUTE_BYTES = 300;

/** Read units of a strongly consistent read or query; one that finds nothing takes one as well. */
export function readUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / (4 * KB)));
}

/**
 * Read units of code in Lambda functions that evaluates flags itself (`flagwire-provider`), at most: a version for each invocation, and the
 * stored snapshot with its pointer, at half the price, for each cold start. In fact a busy instance reads a version every five seconds, and
 * the snapshot is compressed.
 */
export function codeReadUnits(environmentBytes: number, invocations: number, coldStarts: number): number {
  return invocations + (coldStarts * (1 + readUnits(environmentBytes))) / 2;
}

/**
 * Write units of a change: the document, its entry in the journal, what it was in the history, and the versions; a transaction
 * takes two of each.
 */
export function changeWriteUnits(flagBytes: number): number {
  return 2 * (3 * Math.ceil((flagBytes + ATTRIBUTE_BYTES) / KB) + VERSION_REPLICAS);
}

/** Events that EventBridge counts for a change: the flag before and after it, and at most 1 KB in addition. */
export function eventSteps(flagBytes: number): number {
  return Math.ceil((2 * flagBytes + KB) / EVENT_STEP);
}

/** Bytes that Firehose counts for events: those of a request are a record, which it counts in steps of 5 KB. */
export function deliveredBytes(events: number, assumed: Pick<Assumptions, 'eventBytes' | 'eventsPerRequest'>): number {
  const { eventBytes, eventsPerRequest } = assumed;
  return (events / eventsPerRequest) * Math.ceil((eventBytes * eventsPerRequest) / (5 * KB)) * 5 * KB;
}

/**
 * How many messages API Gateway counts for an environment's data: one for each begun step of 32 KB. More than fits one
 * message goes out in parts, to server-side SDKs one flag a message (record 6).
 *
 * @param bytesEach of a flag
 */
export function replySteps(type: 'client' | 'server', flags: number, bytesEach: number): number {
  const bytes = flags * bytesEach;
  if (bytes <= LARGEST_MESSAGE || type === 'client') return countSteps(bytes);
  const inFirst = Math.floor(LARGEST_MESSAGE / bytesEach);
  return countSteps(inFirst * bytesEach) + (flags - inFirst) * countSteps(bytesEach);
}

/** Begun steps of one message; an empty one counts as well. */
export function countSteps(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / MESSAGE_STEP));
}

/**
 * The average over all connections of something that depends on a flag's size as its SDK gets it: servers the whole document, clients
 * what it evaluates to for their user.
 */
export function averageOverSdks(
  { sdks, flagBytes }: Pick<Workload, 'sdks' | 'flagBytes'>,
  { clientFlagBytes }: Pick<Assumptions, 'clientFlagBytes'>,
  of: (bytesEach: number, type: Workload['sdks'][number]['type']) => number,
): number {
  return sdks.reduce(
    (sum, { share, type }) => sum + share * of(type === 'client' ? clientFlagBytes : flagBytes, type),
    0,
  );
}
