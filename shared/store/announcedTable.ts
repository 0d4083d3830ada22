import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Announcement, readAnnouncement } from '../runtime/announcement.ts';
import { createDynamoDb } from './table.ts';

/** The least time between two readings of the announcement, in milliseconds. */
const READ_SPACING_MS = 1_000;

/** DynamoDB's names for an access key that it does not know, such as one of an earlier start. */
const REFUSALS: readonly unknown[] = ['UnrecognizedClientException', 'InvalidSignatureException'];

/** How the announcement is read, and by which clock that never jumps. */
interface AnnouncedTableDeps {
  readonly read: (dataDir: string) => Announcement | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * A client of the DynamoDB that `npm start` announces in its data folder, whatever AWS's variables say. `npm start` has another access
 * key after each start, and may have another port: when the table cannot be reached or refuses the key, the announcement is
 * read again, at most once a second. A request that failed is sent again where there is another.
 *
 * @param first what it announces now
 */
export function followAnnouncement(
  dataDir: string,
  first: Announcement,
  { read, now }: AnnouncedTableDeps = { read: readAnnouncement, now: () => performance.now() },
): DynamoDBClient {
  let current = first;
  let readAt = Number.NEGATIVE_INFINITY;
  const readAgain = () => {
    if (now() - readAt < READ_SPACING_MS) return;
    readAt = now();
    const next = read(dataDir);
    if (next?.flagsTable === first.flagsTable && !isSame(next, current)) current = next;
  };
  const client = createDynamoDb({
    endpoint: async () => ({ url: new URL(current.dynamoDbEndpoint) }),
    region: first.environment['AWS_REGION'] ?? '',
    credentials: async () => ({
      accessKeyId: current.environment['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: current.environment['AWS_SECRET_ACCESS_KEY'] ?? '',
      // The SDK asks again for what has expired, and keeps what never does.
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
