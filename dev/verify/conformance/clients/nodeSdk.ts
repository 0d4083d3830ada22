import { DataSyncModeEnum, FbClientBuilder, type IFbClient, UserBuilder } from '@featbit/node-server-sdk';
import type { Target } from '../target.ts';
import type { Workspace } from '../workspace.ts';
import { lead, type Mode, Sdk } from './sdk.ts';

/** Where it connects, and with which key. */
type Access = Pick<Workspace, 'serverKey'> & { readonly target: Pick<Target, 'streamingUrl' | 'httpUrl'> };

/** FeatBit's Node server SDK. */
export class NodeSdk extends Sdk<IFbClient, [keyId?: string, attributes?: Readonly<Record<string, string>>]> {
  /** Starts the SDK and waits until it has data. */
  static async start({ target, serverKey }: Access, mode: Mode = 'streaming'): Promise<NodeSdk> {
    const client = lead(new FbClientBuilder(), target, serverKey)
      .dataSyncMode(mode === 'streaming' ? DataSyncModeEnum.STREAMING : DataSyncModeEnum.POLLING)
      .build();
    const sdk = new NodeSdk(client);
    await client.waitForInitialization();
    return sdk;
  }

  async value(key: string, keyId = 'u1', attributes: Readonly<Record<string, string>> = {}): Promise<string> {
    const user = new UserBuilder(keyId).name(keyId);
    for (const [name, value] of Object.entries(attributes)) user.custom(name, value);
    return this.client.stringVariation(key, user.build(), 'none');
  }
}
