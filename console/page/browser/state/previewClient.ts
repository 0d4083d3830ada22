import { FbClientBuilder, type IFbClient, UserBuilder } from '@featbit/js-client-sdk';

/** A value as the SDK gives it, and why. */
export interface PreviewValue {
  readonly key: string;
  readonly value: string;
  readonly reason: string;
}

interface Connection {
  readonly streamingUrl: string;
  readonly httpUrl: string;
  readonly clientKey: string;
  readonly keyId: string;
}

/**
 * Connects FeatBit's own JavaScript SDK, unmodified, from this page.
 *
 * @param show gets all values, at first and after each change
 * @returns what ends it
 */
export async function connectPreview(connection: Connection, show: (values: readonly PreviewValue[]) => void) {
  const { streamingUrl, httpUrl, clientKey, keyId } = connection;
  const client: IFbClient = new FbClientBuilder()
    .sdkKey(clientKey)
    .streamingUri(streamingUrl)
    .eventsUri(httpUrl)
    // Its evaluations are no customer's.
    .disableEvents(true)
    .user(new UserBuilder(keyId).name(keyId).build())
    .build();
  const tell = async () => {
    const all = await client.getAllVariations();
    show(
      all
        .map(({ flagKey, value, reason }) => ({ key: flagKey, value: String(value), reason: String(reason) }))
        .toSorted((a, b) => a.key.localeCompare(b.key)),
    );
  };
  client.on('update', () => void tell());
  try {
    await client.waitForInitialization();
    await tell();
  } catch (error) {
    await client.close();
    throw error;
  }
  return () => client.close();
}
