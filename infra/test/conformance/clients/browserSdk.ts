import { DataSyncModeEnum, FbClientBuilder, type IFbClient, UserBuilder } from '@featbit/js-client-sdk';
import type { Workspace } from '../workspace.ts';

/** Where it connects, and with which key. */
type Access = Pick<Workspace, 'target' | 'clientKey'>;

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** The one thing of a browser that the SDK needs and Node lacks. */
const stored = new Map<string, string>();
Object.defineProperty(globalThis, 'localStorage', {
  configurable: true,
  value: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  },
});

/** Empties the browser's storage, where the SDK keeps flags and cursor by user: another environment's must not be met. */
export function forgetBrowserStorage(): void {
  stored.clear();
}

/** FeatBit's JavaScript client SDK, as published, and what it has heard. */
export class BrowserSdk {
  /** Keys of the flags that it told to have changed. */
  readonly updates: string[] = [];
  readonly client: IFbClient;

  private constructor(client: IFbClient) {
    this.client = client;
    client.on('update', (keys: unknown) =>
      this.updates.push(...(Array.isArray(keys) ? keys.map(String) : [String(keys)])),
    );
  }

  /** Starts the SDK for a user and waits until it has data. */
  static async start(
    workspace: Access,
    keyId: string,
    mode: 'streaming' | 'polling' = 'streaming',
    attributes: Readonly<Record<string, string>> = {},
  ): Promise<BrowserSdk> {
    const { streamingUrl, httpUrl } = workspace.target;
    const client = new FbClientBuilder()
      .sdkKey(workspace.clientKey)
      .streamingUri(streamingUrl)
      .pollingUri(httpUrl)
      .eventsUri(httpUrl)
      .dataSyncMode(mode === 'streaming' ? DataSyncModeEnum.STREAMING : DataSyncModeEnum.POLLING)
      .pollingInterval(200)
      .flushInterval(200)
      .user(userOf(keyId, attributes))
      .logger(quiet)
      .build();
    const sdk = new BrowserSdk(client);
    await client.waitForInitialization();
    return sdk;
  }

  /** What its user gets, as text. */
  async value(key: string): Promise<string> {
    return String(await this.client.variation(key, 'none'));
  }

  /** Carries on as another user, on the same connection. */
  async identify(keyId: string, attributes: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.client.identify(userOf(keyId, attributes));
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

function userOf(keyId: string, attributes: Readonly<Record<string, string>>) {
  const user = new UserBuilder(keyId).name(keyId);
  for (const [name, value] of Object.entries(attributes)) user.custom(name, value);
  return user.build();
}
