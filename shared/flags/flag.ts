import type { ParseResult } from './problem.ts';
import { type DocumentReader, readDocument } from './reader.ts';
import { type Rollout, readRollout, readTargetingRule, type TargetingRule, withOwnIds } from './rule.ts';
import { cleanTexts } from './texts.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';
import { comparableValue, VARIATION_TYPES, type VariationType } from './variationValue.ts';

export { VARIATION_TYPES, type VariationType };

export interface Variation {
  readonly id: string;
  readonly name?: string;
  readonly value: string;
}

/** Users who get a variation regardless of rules. */
interface TargetUsers {
  readonly keyIds: readonly string[];
  readonly variationId: string;
}

/**
 * FeatBit's feature flag document, as stored and as server-side SDKs receive it. Unknown fields are kept and passed on
 * unchanged.
 */
export interface Flag {
  readonly id: string;
  readonly envId: string;
  readonly name: string;
  readonly description: string;
  readonly key: string;
  readonly variationType: VariationType;
  readonly variations: readonly Variation[];
  readonly targetUsers: readonly TargetUsers[];
  readonly rules: readonly TargetingRule[];
  readonly isEnabled: boolean;
  /** The variation served while the flag is off. */
  readonly disabledVariationId: string;
  /** The rollout for users who match no rule. */
  readonly fallthrough: Rollout;
  readonly exptIncludeAllTargets: boolean;
  readonly tags: readonly string[];
  /** ISO 8601 with exactly three fraction digits: the item's version on the wire. */
  readonly updatedAt: string;
  /** An archived flag stays as a tombstone, so that SDKs drop it. */
  readonly isArchived: boolean;
  /** A deleted flag is also archived. SDKs never receive this field (`wireJson`). */
  readonly isDeleted?: boolean;
}

/** FeatBit's rule for flag keys. */
export const FLAG_KEY_PATTERN = /^[a-zA-Z0-9._-]{1,128}$/;

const NAMES_OF_OBJECTS: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Why no new flag can have a key that matches {@link FLAG_KEY_PATTERN}, and no server-side SDK receives one that has it.
 * Undefined for other keys. FeatBit's Node SDK 1.3.0 ends its process when it receives `toString` or `constructor`.
 */
export function problemOfKey(key: string): string | undefined {
  if (!NAMES_OF_OBJECTS.has(key)) return undefined;
  return 'the key is a property of all JavaScript objects, which can end processes with the Node SDK of FeatBit';
}

/** Why no new flag can have a key, although older flags may: {@link problemOfKey}, or URLs cannot contain it. */
export function problemOfNewKey(key: string): string | undefined {
  const isDots = key === '.' || key === '..';
  return isDots ? 'URLs drop "." and "..", so that OFREP clients cannot request the flag' : problemOfKey(key);
}

/**
 * The pairs of variations with the same name and value, in words. `1` and `1.0` are one number. They evaluate as usual, but people and commands cannot
 * tell them apart. New flags and edits have none; what exists elsewhere or earlier, such as in FeatBit, is taken.
 */
export function equalVariations({ variationType, variations }: Pick<Flag, 'variationType' | 'variations'>): string[] {
  const texts = variations.map(({ name, value }) => {
    const same = comparableValue(variationType, value);
    return JSON.stringify([!name || name === value ? same : name, same]);
  });
  const seen = new Set<string>();
  const twice = variations.filter((_, index) => {
    const text = texts[index] ?? '';
    return seen.has(text) || !seen.add(text);
  });
  return twice.map(({ name, value }) => `it has two variations "${(name || value).slice(0, 80)}" with the same value`);
}

/**
 * Parses a FeatBit flag document from JSON. Missing fields of old documents get FeatBit's defaults. Unknown fields are
 * kept. `updatedAt` gets three fraction digits (if missing: the epoch). Tags are trimmed, and rules get ids of their own.
 */
export function parseFlag(value: unknown): ParseResult<Flag> {
  return readDocument(value, 'a flag', readFlag);
}

function readFlag(reader: DocumentReader): Flag {
  const key = reader.string('key');
  const flag: Flag = reader.withExtras({
    id: reader.string('id', key),
    envId: reader.string('envId', ''),
    name: reader.string('name', ''),
    description: reader.string('description', ''),
    key,
    variationType: readVariationType(reader),
    variations: reader.objects('variations', readVariation),
    targetUsers: reader.objects('targetUsers', readTargetUsers),
    rules: withOwnIds(reader.objects('rules', readTargetingRule)),
    isEnabled: reader.boolean('isEnabled'),
    disabledVariationId: reader.string('disabledVariationId', ''),
    fallthrough: reader.object('fallthrough', (rollout) => rollout.withExtras(readRollout(rollout))),
    exptIncludeAllTargets: reader.boolean('exptIncludeAllTargets', true),
    tags: cleanTexts(reader.strings('tags')),
    updatedAt: readUpdatedAt(reader),
    ...readEnd(reader),
  });
  if (!FLAG_KEY_PATTERN.test(flag.key)) {
    reader.error('key', 'must be 1 to 128 letters, digits, dots, underscores or hyphens');
  }
  const problem = problemOfNewKey(flag.key);
  if (problem !== undefined && problemOfKey(flag.key) === undefined) reader.warn('key', problem);
  checkVariations(reader, flag);
  return flag;
}

/** `updatedAt` of a flag or segment in the wire format. */
export function readUpdatedAt(reader: DocumentReader): string {
  const text = reader.string('updatedAt', formatTimestamp(0));
  const ms = parseTimestamp(text);
  if (ms === undefined) reader.error('updatedAt', `"${text}" is not an ISO 8601 instant such as ${formatTimestamp(0)}`);
  return formatTimestamp(ms ?? 0);
}

/**
 * Whether a flag or segment is archived or deleted. A deleted one is always archived, because SDKs only know that
 * state.
 */
export function readEnd(reader: DocumentReader): Pick<Flag, 'isArchived' | 'isDeleted'> {
  const isArchived = reader.boolean('isArchived', false);
  return reader.boolean('isDeleted', false) ? { isArchived: true, isDeleted: true } : { isArchived };
}

function readVariationType(reader: DocumentReader): VariationType {
  const text = reader.string('variationType', 'string');
  const known = VARIATION_TYPES.find((type) => type === text);
  if (!known) reader.error('variationType', `must be one of ${VARIATION_TYPES.join(', ')}, but is "${text}"`);
  return known ?? 'string';
}

function readVariation(reader: DocumentReader): Variation {
  return reader.withExtras({
    id: reader.string('id'),
    ...(reader.source['name'] == null ? {} : { name: reader.string('name') }),
    value: reader.string('value'),
  });
}

function readTargetUsers(reader: DocumentReader): TargetUsers {
  return reader.withExtras({ keyIds: reader.strings('keyIds'), variationId: reader.string('variationId') });
}

/**
 * Checks that variation ids are unique, because FeatBit's Java SDK takes no environment where they are not. An unknown variation
 * is only a warning, because it affects only its own users.
 */
function checkVariations(reader: DocumentReader, flag: Flag): void {
  if (flag.variations.length === 0) reader.error('variations', 'must have at least one variation');
  const ids = new Set<string>();
  flag.variations.forEach(({ id }, index) => {
    if (ids.has(id)) reader.error(`variations[${index}].id`, `"${id}" is also the id of an earlier variation`);
    ids.add(id);
  });
  for (const message of equalVariations(flag)) reader.warn('', message);
  const mustExist = (path: string, id: string) => {
    if (!ids.has(id)) reader.warn(path, `"${id}" is not the id of a variation of this flag`);
  };
  mustExist('disabledVariationId', flag.disabledVariationId);
  flag.targetUsers.forEach((target, index) => {
    mustExist(`targetUsers[${index}].variationId`, target.variationId);
  });
  const rollouts: [string, Rollout][] = flag.rules.map((rule, index) => [`rules[${index}]`, rule]);
  for (const [path, rollout] of [...rollouts, ['fallthrough', flag.fallthrough] as const]) {
    rollout.variations.forEach((variation, index) => {
      mustExist(`${path}.variations[${index}].id`, variation.id);
    });
  }
}
