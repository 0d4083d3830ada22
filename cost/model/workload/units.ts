import { EVENT_STEP, VERSION_REPLICAS } from '../../prices/serviceFacts.ts';
import type { Assumptions } from './assumptions.ts';

const KB = 1_024;

/** Attributes of a stored document next to the document, in bytes. */
const ATTRIBUTE_BYTES = 300;

/** Read units of a strongly consistent read or query; one that finds nothing takes one as well. */
export function readUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / (4 * KB)));
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
