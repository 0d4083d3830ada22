import type { SecretType } from '../../../../shared/protocol/secret.ts';

/** A flag or segment that a reader received, or of the store. */
export interface Item {
  /** `flag:<key>` or `segment:<id>`. */
  readonly name: string;
  /** Its `updatedAt`, unix milliseconds. */
  readonly version: number;
  /** Identifies the write. Absent in segments. */
  readonly mark?: string;
  /** Whom it was evaluated for; client type only. */
  readonly group?: string;
  /** All of it, for comparing. */
  readonly json: unknown;
}

/** A data-sync message of the service. */
export interface DataSync {
  readonly eventType: 'full' | 'patch';
  readonly userKeyId?: string;
  readonly items: readonly Item[];
}

/** The value of a variation: the mark of its write, and the group of its users. */
export function markedValue(mark: string, group: string): string {
  return `${mark}|${group}`;
}

/**
 * Reads a message of the service.
 *
 * @returns undefined for one that is no data-sync
 * @throws {Error} saying what no SDK could make anything of
 */
export function readDataSync(text: string, type: SecretType): DataSync | undefined {
  const { messageType, data } = JSON.parse(text);
  if (typeof messageType !== 'string') throw new Error('there is no messageType');
  if (messageType !== 'data-sync') return undefined;
  const { eventType, userKeyId, featureFlags, segments } = data;
  if (eventType !== 'full' && eventType !== 'patch') throw new Error(`eventType is ${eventType}`);
  if (type === 'client') return { eventType, userKeyId, items: featureFlags.map(evaluatedItem) };
  const items = [...segments.map(segmentItem), ...featureFlags.map(flagItem)];
  return { eventType, items: items.sort((a, b) => a.version - b.version) };
}

/** A flag document as an item. */
export function flagItem(json: {
  readonly key: string;
  readonly updatedAt: string;
  readonly variations: readonly { readonly value: string }[];
}): Item {
  const [mark = ''] = json.variations[0]?.value.split('|') ?? [];
  return { name: `flag:${json.key}`, version: Date.parse(json.updatedAt), mark, json };
}

/** A segment document as an item. */
export function segmentItem(json: { readonly id: string; readonly updatedAt: string }): Item {
  return { name: `segment:${json.id}`, version: Date.parse(json.updatedAt), json };
}

/** An evaluated flag as an item. */
export function evaluatedItem(json: {
  readonly id: string;
  readonly timestamp: number;
  readonly variation: string;
}): Item {
  const [mark = '', group = ''] = json.variation.split('|');
  return { name: `flag:${json.id}`, version: json.timestamp, mark, group, json };
}
