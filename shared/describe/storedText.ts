import type { Flag } from '../flags/flag.ts';
import { isJsonObject, type JsonObject } from '../flags/reader.ts';
import type { Condition, Rollout } from '../flags/rule.ts';
import { nameOfVariation } from '../flags/shares.ts';
import { conditionsText, type SegmentName, sharesText } from './documentFacts.ts';

/** The context of stored values: the current flag, and the names of segments. */
export interface DocumentNames {
  readonly flag: Flag | undefined;
  readonly segmentName: SegmentName;
}

/** A part of a stored document, in words. JSON if there are none. */
export function storedText(value: unknown, names: DocumentNames): string {
  if (typeof value === 'string') return nameIn(names.flag, value);
  if (Array.isArray(value)) return listText(value, names);
  return isJsonObject(value) ? (objectText(value, names) ?? JSON.stringify(value)) : JSON.stringify(value);
}

function listText(items: readonly unknown[], names: DocumentNames): string {
  if (items.length === 0) return '';
  if (items.every((item) => typeof item === 'string')) return items.map((item) => nameIn(names.flag, item)).join(', ');
  if (isShares(items)) return sharesText(names.flag, { variations: items });
  const [lower, upper] = items;
  if (items.length === 2 && typeof lower === 'number' && typeof upper === 'number') return rangeText([lower, upper]);
  if (items.every(isCondition)) return conditionsText(items, names.segmentName);
  return items.map((item) => storedText(item, names)).join('; ');
}

function objectText(object: JsonObject, names: DocumentNames): string | undefined {
  const { name, conditions, variations, keyIds, variationId, value } = object;
  if (Array.isArray(object['rollout'])) return listText(object['rollout'], names);
  if (isCondition(object)) return conditionsText([object], names.segmentName);
  if (Array.isArray(conditions)) {
    const given = Array.isArray(variations) ? ` → ${listText(variations, names)}` : '';
    return `${name ?? ''}: ${conditionsText(conditions as Condition[], names.segmentName)}${given}`;
  }
  if (Array.isArray(variations)) return listText(variations, names);
  if (Array.isArray(keyIds)) return `${nameIn(names.flag, String(variationId))}: ${keyIds.join(', ')}`;
  if (typeof value === 'string' && 'id' in object) {
    return name === value || !name ? value : `${String(name)}: ${value}`;
  }
  return undefined;
}

/** Whether a stored value is the list of shares of a rollout. */
export function isShares(value: unknown): value is Rollout['variations'] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isJsonObject(item) && 'rollout' in item);
}

function isCondition(value: unknown): value is Condition {
  return isJsonObject(value) && typeof value['property'] === 'string' && 'op' in value;
}

/** A share of the rollout scale. */
function rangeText(range: readonly [number, number]): string {
  const [lower, upper] = range.map((part) => Math.round(part * 10_000) / 100);
  return `${lower} % to ${upper} %`;
}

function nameIn(flag: Flag | undefined, text: string): string {
  return flag ? nameOfVariation(flag, text) : text;
}
