import { FbClientBuilder, type IFbClient, UserBuilder } from '@featbit/js-client-sdk';

/** A value and its reason, as the SDK reports them. */
export interface PreviewValue {
  readonly key: string;
  readonly value: string;
  readonly reason: string;
}

/** Secret and user of a connection. */
export interface Connection {
  readonly streamingUrl: string;
  readonly httpUrl: string;
  readonly clientKey: string;
  readonly keyId: string;
}

/**
 * Connects FeatBit's unmodified JavaScript SDK.
 *
 * @param show receives all values, at first and after each change
 * @returns a function that disconnects it
 */
export async function connectPreview(connection: Connection, show: (values: readonly PreviewValue[]) => void) {
  const { streamingUrl, httpUrl, clientKey, keyId } = connection;
  const client: IFbClient = new FbClientBuilder()
    .sdkKey(clientKey)
    .streamingUri(streamingUrl)
    .eventsUri(httpUrl)
    // Its evaluations must not be counted.
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
