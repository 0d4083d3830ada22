import { randomUUID } from 'node:crypto';
import type { EventBridgeEvent } from 'aws-lambda';
import type { Clock } from '../clock.ts';
import { AwsError } from '../endpoint/awsError.ts';
import type { AwsJsonService } from '../endpoint/awsJson.ts';
import type { Log } from '../log.ts';
import { arn, localAccount, localRegion } from '../template/account.ts';

/** An event as a rule's target gets it, and its bus. */
export interface BusEvent {
  readonly bus: string;
  readonly event: EventBridgeEvent<string, Readonly<Record<string, unknown>>>;
}

/** Makes an event of this account. @param at unix milliseconds */
export function makeEvent(
  at: number,
  content: Pick<BusEvent['event'], 'detail-type' | 'source' | 'resources' | 'detail'>,
): BusEvent['event'] {
  const time = `${new Date(at).toISOString().slice(0, 19)}Z`;
  return { version: '0', id: randomUUID(), account: localAccount, time, region: localRegion, ...content };
}

interface Entry {
  readonly EventBusName?: string;
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly Resources?: string[];
  /** Unix seconds. */
  readonly Time?: number;
}

/** EventBridge's limits of one request, as its guide states them. */
const REQUEST = { entries: 10, bytes: 256 * 1024 };
/** The newest events that are kept, of all buses. */
const KEPT_EVENTS = 200;
/** EventBridge counts a time as this many bytes. */
const TIME_BYTES = 14;

interface EventBridgeOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly onEvent?: ((event: BusEvent) => void) | undefined;
}

/** EventBridge's API for senders, and its newest events, oldest first. */
export type EventBridge = ReturnType<typeof createEventBridge>;

/**
 * Emulates `PutEvents` of the default bus. Like EventBridge, it accepts and discards an event for a bus that does not exist, which it logs.
 *
 * @see https://github.com/aws/aws-sdk/issues/186
 */
export function createEventBridge({ clock, log, onEvent }: EventBridgeOptions) {
  const events: BusEvent[] = [];

  function put(entry: Entry): object {
    const problem = problemOf(entry);
    if (problem) return problem;
    const bus = busName(entry);
    if (bus !== 'default') {
      log(`eventbridge: there is no event bus ${bus}; its event is discarded`);
      return { EventId: randomUUID() };
    }
    const event = makeEvent(entry.Time === undefined ? clock.now() : entry.Time * 1000, {
      'detail-type': entry.DetailType ?? '',
      source: entry.Source ?? '',
      resources: entry.Resources ?? [],
      detail: JSON.parse(entry.Detail ?? '{}') as Record<string, unknown>,
    });
    events.push({ bus, event });
    if (events.length > KEPT_EVENTS) events.shift();
    onEvent?.({ bus, event });
    return { EventId: event.id };
  }

  const service: AwsJsonService = {
    target: 'AWSEvents',
    contentType: 'application/x-amz-json-1.1',
    operations: {
      PutEvents: ({ Entries = [] }) => {
        const entries = Entries as Entry[];
        checkRequest(entries);
        const results = entries.map(put);
        return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
      },
    },
    accessRequests: (operation, { Entries = [] }) =>
      [...new Set((Entries as Entry[]).map(busName))].map((bus) => ({
        action: `events:${operation}`,
        resource: arn('events', `event-bus/${bus}`),
      })),
  };
  return { events: events as readonly BusEvent[], service };
}

/** The name of an entry's bus, which may be given as an ARN. */
function busName({ EventBusName = 'default' }: Entry): string {
  return EventBusName.startsWith('arn:') ? EventBusName.slice(EventBusName.indexOf('/') + 1) : EventBusName;
}

function checkRequest(entries: readonly Entry[]): void {
  if (entries.length < 1 || entries.length > REQUEST.entries) {
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length from 1 to ${REQUEST.entries}`,
    );
  }
  if (entries.reduce((sum, entry) => sum + bytesOf(entry), 0) > REQUEST.bytes) {
    throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
  }
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
function bytesOf({ Time, Source = '', DetailType = '', Detail = '', Resources = [] }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), Time === undefined ? 0 : TIME_BYTES);
}

/** Why an entry alone is refused. */
function problemOf(entry: Entry): { ErrorCode: string; ErrorMessage: string } | undefined {
  for (const name of ['Source', 'DetailType', 'Detail'] as const) {
    if (!entry[name]) {
      return {
        ErrorCode: 'InvalidArgument',
        ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
      };
    }
  }
  if (entry.Source?.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  }
  return isJsonObject(entry.Detail ?? '')
    ? undefined
    : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
