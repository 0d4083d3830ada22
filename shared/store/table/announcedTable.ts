import { type Announcement, readAnnouncement } from '../../runtime/announcement.ts';
import { systemEffects } from '../../runtime/effects.ts';
import { createDynamoDb, type SdkClient } from './table.ts';

/** Minimum time between two reads of the announcement, in milliseconds. */
const READ_SPACING_MS = 1_000;

/** DynamoDB's errors for an access key that it does not know, such as that of an earlier start. */
const REFUSALS: readonly unknown[] = ['UnrecognizedClientException', 'InvalidSignatureException'];

/** Dependencies: how to read the announcement, and a monotonic clock. */
interface AnnouncedTableDeps {
  readonly read: (dataDir: string) => Announcement | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * A client of the DynamoDB that `npm start` announces in its data folder. AWS's environment variables are ignored.
 *
 * Each start of `npm start` has a new access key and may have a new port. When the table is unreachable or refuses the
 * key, the client reads the announcement again, at most once a second. It repeats the failed request if the
 * announcement has changed.
 *
 * @param first the current announcement
 * @param options as of {@link createDynamoDb}
 */
export function followAnnouncement(
  dataDir: string,
  first: Announcement,
  options: { silenceMs?: number; maxAttempts?: number } = {},
  { read, now }: AnnouncedTableDeps = { read: readAnnouncement, now: systemEffects.monotonic },
): SdkClient {
  let current = first;
  let readAt = Number.NEGATIVE_INFINITY;
  const readAgain = () => {
    if (now() - readAt < READ_SPACING_MS) return;
    readAt = now();
    const next = read(dataDir);
    if (next?.flagsTable === first.flagsTable && !isSame(next, current)) current = next;
  };
  const client = createDynamoDb({
    ...options,
    endpoint: async () => ({ url: new URL(current.dynamoDbEndpoint) }),
    region: first.environment['AWS_REGION'] ?? '',
    credentials: async () => ({
      accessKeyId: current.environment['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: current.environment['AWS_SECRET_ACCESS_KEY'] ?? '',
      // The SDK asks again for expired credentials. It keeps those without an expiry.
      expiration: new Date(0),
    }),
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const asked = current;
      try {
        return await next(args);
      } catch (error) {
        if (!isAwayOrRefusing(error)) throw error;
        readAgain();
        if (current === asked) throw error;
        return next(args);
      }
    },
    { step: 'initialize', name: 'followAnnouncement' },
  );
  return client;
}

function isSame(one: Announcement, other: Announcement): boolean {
  return one.pid === other.pid && one.dynamoDbEndpoint === other.dynamoDbEndpoint;
}

function isAwayOrRefusing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return $metadata?.httpStatusCode === undefined || REFUSALS.includes(name);
}
