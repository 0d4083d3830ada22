import type { Queues } from '../queues/queues.ts';
import type { EventSourceMappings } from './definition.ts';
import { startQueuePoller } from './queuePoller.ts';
import { type BackOff, type Poller, type StreamPollerServices, startStreamPoller } from './streamPoller.ts';

/** Doubles from 100 ms to at most 30 s. AWS does not publish its own schedule. */
const exponentialBackOff: BackOff = (retry) => Math.min(30_000, 100 * 2 ** (retry - 1));

/** Dependencies of event sources. */
interface EventSourceServices extends Pick<StreamPollerServices, 'functions' | 'stream' | 'clock' | 'log'> {
  readonly queues: Queues;
  /** The default doubles for streams, and is the visibility timeout for queues. */
  readonly backOff: BackOff | undefined;
}

/** Starts a poller for every mapping. @throws Error when a mapping's queue is not there. */
export async function startEventSources(
  mappings: EventSourceMappings,
  { functions, queues, stream, clock, log, backOff }: EventSourceServices,
): Promise<Poller[]> {
  const pollers = mappings.queues.map((mapping) =>
    startQueuePoller(mapping, { functions, queue: queues.byArn(mapping.queueArn), clock, log, backOff }),
  );
  for (const mapping of mappings.streams) {
    if (mapping.onFailureArn !== undefined) queues.byArn(mapping.onFailureArn);
    pollers.push(
      await startStreamPoller(mapping, {
        functions,
        stream,
        clock,
        log,
        backOff: backOff ?? exponentialBackOff,
        giveUp: (queueArn, body) => queues.byArn(queueArn).send({ body }),
      }),
    );
  }
  return pollers;
}
