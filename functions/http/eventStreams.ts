/** Where a process that holds connections tells OFREP's clients that flags have changed: notifications, no values. */
export const EVENT_STREAM = '/ofrep/v1/event-stream';

/**
 * What an answer with all flags says of the streams there are. The path holds the key, since browsers send no headers with it;
 * who has a server key, which no URL should hold, polls.
 */
export function eventStreamsFor(type: string, secret: string): readonly object[] | undefined {
  return type === 'client' ? [{ type: 'sse', endpoint: { requestUri: `${EVENT_STREAM}?key=${secret}` } }] : undefined;
}
