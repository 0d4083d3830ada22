import type { SecretType } from '../../../shared/protocol/secret.ts';

/** A user, as client-side SDKs send it. */
export interface SdkUser {
  readonly keyId: string;
  readonly name: string;
  readonly customizedProperties: readonly { readonly name: string; readonly value: string }[];
}

/** The members of flags, segments and evaluated flags that SDKs read. */
interface ItemJson {
  readonly isEnabled?: boolean;
  readonly rules?: readonly { readonly conditions: readonly { readonly op?: unknown; readonly value?: unknown }[] }[];
  readonly variation?: string | null;
  readonly variationType?: string;
  readonly matchReason?: string;
}

/** A flag or segment of a message, or of the store. */
export interface Item {
  /** `flag:<key>` or `segment:<id>`. */
  readonly name: string;
  /** Its `updatedAt`, unix milliseconds. */
  readonly version: number;
  /** The part of its value that identifies the write. Absent in segments and archived flags. */
  readonly mark?: string | undefined;
  /** The part of an evaluated value that identifies the user, if the value has one. */
  readonly group?: string | undefined;
  readonly json: ItemJson;
}

/** A data-sync message of the service. */
export interface SyncMessage {
  readonly eventType: 'full' | 'patch';
  readonly userKeyId?: string;
  /** Ascending by version. */
  readonly items: readonly Item[];
}

/** Creates a user whose name is its key id. @param attributes its custom attributes */
export function sdkUser(keyId: string, attributes: Readonly<Record<string, string>> = {}): SdkUser {
  const customizedProperties = Object.entries(attributes).map(([name, value]) => ({ name, value }));
  return { keyId, name: keyId, customizedProperties };
}

/** The group of a user: the value of its first attribute. */
export function groupOf(user: SdkUser | undefined): string | undefined {
  return user?.customizedProperties[0]?.value;
}

/** The value of a variation that shows its write and the group of its users. */
export function markedValue(mark: string, group: string): string {
  return `${mark}|${group}`;
}

/**
 * Reads a message of the service.
 *
 * @returns undefined for a message that is no data-sync
 * @throws {Error} if SDKs cannot read the message
 */
export function readSyncMessage(text: string, type: SecretType): SyncMessage | undefined {
  const { messageType, data } = JSON.parse(text);
  if (typeof messageType !== 'string') throw new Error('there is no messageType');
  if (messageType !== 'data-sync') return undefined;
  const { eventType, userKeyId, featureFlags, segments } = data;
  if (eventType !== 'full' && eventType !== 'patch') throw new Error(`eventType is ${eventType}`);
  const items: Item[] =
    type === 'client' ? featureFlags.map(evaluatedItem) : [...segments.map(segmentItem), ...featureFlags.map(flagItem)];
  return { eventType, userKeyId, items: items.sort((a, b) => a.version - b.version) };
}

/** A flag document as an item. */
export function flagItem(
  json: ItemJson & {
    readonly key: string;
    readonly updatedAt: string;
    readonly variations: readonly { readonly value: string }[];
  },
): Item {
  const [mark = ''] = json.variations[0]?.value.split('|') ?? [];
  return { name: `flag:${json.key}`, version: Date.parse(json.updatedAt), mark, json };
}

/** A segment document as an item. */
export function segmentItem(json: ItemJson & { readonly id: string; readonly updatedAt: string }): Item {
  return { name: `segment:${json.id}`, version: Date.parse(json.updatedAt), json };
}

/** An evaluated flag as an item. */
export function evaluatedItem(json: ItemJson & { readonly id: string; readonly timestamp: number }): Item {
  const [mark, group] = json.variation?.split('|') ?? [];
  return { name: `flag:${json.id}`, version: json.timestamp, mark, group, json };
}
