/** How a process with connections notifies OFREP clients of changes. Notifications contain no values. */
export const EVENT_STREAM = '/ofrep/v1/event-stream';

/**
 * The event streams, as a response with all flags lists them. The path contains the key, because browsers cannot send
 * headers with it. Callers with a server key poll, because no URL should contain a server key.
 */
export function eventStreamsFor(type: string, secret: string): readonly object[] | undefined {
  return type === 'client' ? [{ type: 'sse', endpoint: { requestUri: `${EVENT_STREAM}?key=${secret}` } }] : undefined;
}
