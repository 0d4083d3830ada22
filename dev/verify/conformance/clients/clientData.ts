/** A user as client SDKs send it. */
export interface SentUser {
  readonly keyId: string;
  readonly name: string;
  readonly customizedProperties: readonly { readonly name: string; readonly value: string }[];
}

/** Makes a user whose name is its key id. @param properties its custom attributes */
export function sentUser(keyId: string, properties: Readonly<Record<string, string>> = {}): SentUser {
  const customizedProperties = Object.entries(properties).map(([name, value]) => ({ name, value }));
  return { keyId, name: keyId, customizedProperties };
}

/** An evaluated flag as client SDKs keep it. */
export interface EvaluatedFlag {
  readonly id: string;
  readonly variation: string | null;
  readonly matchReason: string;
  readonly timestamp: number;
}

/** The `data` of a data-sync message to a client SDK. */
export interface ClientSyncData {
  readonly eventType: 'full' | 'patch';
  readonly userKeyId: string;
  readonly featureFlags: readonly EvaluatedFlag[];
}

/** The committed flags of a user in a client SDK, with the cursor of these flags. */
export class ClientData {
  readonly flags = new Map<string, EvaluatedFlag>();
  /** The newest version among the flags, which the next data-sync sends. */
  cursor = 0;

  /** Takes a message: `full` replaces all flags. Of equal versions the last counts. */
  commit({ eventType, featureFlags }: ClientSyncData): void {
    if (eventType === 'full') {
      this.flags.clear();
      this.cursor = 0;
    }
    for (const flag of featureFlags) {
      if (flag.timestamp >= (this.flags.get(flag.id)?.timestamp ?? 0)) this.flags.set(flag.id, flag);
      this.cursor = Math.max(this.cursor, flag.timestamp);
    }
  }

  /** A flag's value; undefined where code gets its default. */
  value(key: string): string | null | undefined {
    const flag = this.flags.get(key);
    return flag === undefined || flag.matchReason === 'flag archived' ? undefined : flag.variation;
  }
}
