import type { Flag, Variation } from '../../../shared/flags/flag.ts';
import { isJsonObject, type JsonObject } from '../../../shared/flags/reader.ts';
import type { Condition, Rollout } from '../../../shared/flags/rule.ts';
import { formatShares, nameOfVariation } from '../../../shared/flags/shares.ts';
import { conditionsText, type SegmentName } from './facts.ts';

/** What stored values refer to: the flag as it is now, and the names of segments. */
export interface Known {
  readonly flag: Flag | undefined;
  readonly segmentName: SegmentName;
}

/** A part of a document as it is stored, in the words of the page; as JSON where there are none for it. */
export function storedText(value: unknown, known: Known): string {
  if (typeof value === 'string') return nameIn(known.flag, value);
  if (Array.isArray(value)) return listText(value, known);
  return isJsonObject(value) ? (objectText(value, known) ?? JSON.stringify(value)) : JSON.stringify(value);
}

function listText(items: readonly unknown[], known: Known): string {
  if (items.length === 0) return '';
  if (items.every((item) => typeof item === 'string')) return items.map((item) => nameIn(known.flag, item)).join(', ');
  if (items.every((item) => isJsonObject(item) && 'rollout' in item)) {
    return sharesText({ variations: items as unknown as Rollout['variations'] }, known);
  }
  const [lower, upper] = items;
  if (items.length === 2 && typeof lower === 'number' && typeof upper === 'number') return rangeText([lower, upper]);
  if (items.every(isCondition)) return conditionsText(items, known.segmentName);
  return items.map((item) => storedText(item, known)).join('; ');
}

function objectText(object: JsonObject, known: Known): string | undefined {
  const { name, conditions, variations, keyIds, variationId, value } = object;
  if (Array.isArray(object['rollout'])) return listText(object['rollout'], known);
  if (isCondition(object)) return conditionsText([object], known.segmentName);
  if (Array.isArray(conditions)) {
    const given = Array.isArray(variations) ? ` → ${listText(variations, known)}` : '';
    return `${name ?? ''}: ${conditionsText(conditions as Condition[], known.segmentName)}${given}`;
  }
  if (Array.isArray(variations)) return listText(variations, known);
  if (Array.isArray(keyIds)) return `${nameIn(known.flag, String(variationId))}: ${keyIds.join(', ')}`;
  if (typeof value === 'string' && 'id' in object) {
    return name === value || !name ? value : `${String(name)}: ${value}`;
  }
  return undefined;
}

function isCondition(value: unknown): value is Condition {
  return isJsonObject(value) && typeof value['property'] === 'string' && 'op' in value;
}

/** A share of the rollout scale. */
function rangeText(range: readonly [number, number]): string {
  const [lower, upper] = range.map((part) => Math.round(part * 10_000) / 100);
  return `${lower} % to ${upper} %`;
}

/** Variations that are no more, or of a flag that is not known, are named by their ids. */
function sharesText(rollout: Pick<Rollout, 'variations'>, { flag }: Known): string {
  const variations: readonly Variation[] = flag?.variations ?? [];
  return formatShares({ variations } as Flag, rollout).replaceAll(/=([\d.]+)(?= |$)/g, ' $1 %');
}

function nameIn(flag: Flag | undefined, text: string): string {
  const variation = flag?.variations.find(({ id }) => id === text);
  return variation ? nameOfVariation(variation) : text;
}
