import { DataSyncModeEnum, FbClientBuilder, type IFbClient, UserBuilder } from '@featbit/node-server-sdk';
import type { Target } from '../target.ts';
import type { Workspace } from '../workspace.ts';

/** Where it connects, and with which key. */
type Access = Pick<Workspace, 'serverKey'> & { readonly target: Pick<Target, 'streamingUrl' | 'httpUrl'> };

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** FeatBit's Node server SDK, as published, and what it has heard. */
export class NodeSdk {
  /** Each update of a flag as the SDK told it: its key. */
  readonly updates: string[] = [];
  readonly client: IFbClient;

  private constructor(client: IFbClient) {
    this.client = client;
    client.on('update', (keys: unknown) =>
      this.updates.push(...(Array.isArray(keys) ? keys.map(String) : [String(keys)])),
    );
  }

  /** Starts the SDK and waits until it has data. */
  static async start(workspace: Access, mode: 'streaming' | 'polling' = 'streaming'): Promise<NodeSdk> {
    const { streamingUrl, httpUrl } = workspace.target;
    const client = new FbClientBuilder()
      .sdkKey(workspace.serverKey)
      .streamingUri(streamingUrl)
      .pollingUri(httpUrl)
      .eventsUri(httpUrl)
      .dataSyncMode(mode === 'streaming' ? DataSyncModeEnum.STREAMING : DataSyncModeEnum.POLLING)
      .pollingInterval(200)
      .flushInterval(200)
      .logger(quiet)
      .build();
    const sdk = new NodeSdk(client);
    await client.waitForInitialization();
    return sdk;
  }

  /** What a user gets, as text. */
  async value(key: string, keyId = 'u1', attributes: Readonly<Record<string, string>> = {}): Promise<string> {
    const user = new UserBuilder(keyId).name(keyId);
    for (const [name, value] of Object.entries(attributes)) user.custom(name, value);
    return this.client.stringVariation(key, user.build(), 'none');
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
