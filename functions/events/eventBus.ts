import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { ChangeEvent } from './changeEvent.ts';

/**
 * Puts events on an event bus, at most one request.
 *
 * @param busName name or ARN of the bus
 * @returns a function that throws if EventBridge does not accept all events
 */
export function createEventBus(
  client: EventBridgeClient,
  busName: string,
): (events: readonly ChangeEvent[]) => Promise<void> {
  return async (events) => {
    const { FailedEntryCount = 0, Entries = [] } = await client.send(
      new PutEventsCommand({
        Entries: events.map(({ source, detailType, time, detail }) => ({
          EventBusName: busName,
          Source: source,
          DetailType: detailType,
          Time: new Date(time),
          Detail: detail,
        })),
      }),
    );
    if (FailedEntryCount === 0) return;
    const { ErrorCode, ErrorMessage } = Entries.find((entry) => entry.ErrorCode !== undefined) ?? {};
    throw new Error(`EventBridge did not accept ${FailedEntryCount} events: ${ErrorCode} ${ErrorMessage}`);
  };
}
