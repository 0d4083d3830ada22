import { type Announcement, readAnnouncement } from '../../runtime/announcement.ts';
import { createDynamoDb, type SdkClient } from './table.ts';

/**
 * A client of the DynamoDB that `npm start` announces in its data folder. AWS's environment variables are ignored.
 *
 * Each start of `npm start` has a new access key and may have a new port. So each request uses the announcement of its
 * time.
 *
 * @param first the current announcement
 * @param options as of {@link createDynamoDb}
 */
export function followAnnouncement(
  dataDir: string,
  first: Announcement,
  options: { silenceMs?: number; maxAttempts?: number } = {},
  read = readAnnouncement,
): SdkClient {
  let current = first;
  const latest = () => {
    const next = read(dataDir);
    if (next?.flagsTable === first.flagsTable) current = next;
    return current;
  };
  return createDynamoDb({
    ...options,
    endpoint: async () => ({ url: new URL(latest().dynamoDbEndpoint) }),
    region: first.environment['AWS_REGION'] ?? '',
    credentials: async () => {
      const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = latest().environment;
      // The SDK asks again for expired credentials. It keeps those without an expiry.
      return { accessKeyId, secretAccessKey, expiration: new Date(0) };
    },
  });
}
