import { createRequire } from 'node:module';
import type * as Published from '@featbit/js-client-sdk';
import type { Workspace } from '../workspace.ts';
import { lead, type Mode, Sdk } from './sdk.ts';

// Its ES modules import folders, which Node refuses.
const published: typeof Published = createRequire(import.meta.url)('@featbit/js-client-sdk');
const { DataSyncModeEnum, FbClientBuilder, UserBuilder } = published;

/** Where it connects, and with which key. */
type Access = Pick<Workspace, 'target' | 'clientKey'>;

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

/** FeatBit's JavaScript client SDK. */
export class BrowserSdk extends Sdk<Published.IFbClient, []> {
  /** Starts the SDK for a user and waits until it has data. */
  static async start({ target, clientKey }: Access, keyId: string, mode: Mode = 'streaming'): Promise<BrowserSdk> {
    const client = lead(new FbClientBuilder(), target, clientKey)
      .dataSyncMode(mode === 'streaming' ? DataSyncModeEnum.STREAMING : DataSyncModeEnum.POLLING)
      .user(makeUser(keyId))
      .build();
    const sdk = new BrowserSdk(client);
    await client.waitForInitialization();
    return sdk;
  }

  async value(key: string): Promise<string> {
    return String(await this.client.variation(key, 'none'));
  }

  /** Carries on as another user, on the same connection. */
  async identify(keyId: string): Promise<void> {
    await this.client.identify(makeUser(keyId));
  }
}

function makeUser(keyId: string) {
  return new UserBuilder(keyId).name(keyId).build();
}
