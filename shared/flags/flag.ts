import type { ParseResult } from './problem.ts';
import { type DocumentReader, readDocument } from './reader.ts';
import { type Rollout, readRollout, readTargetingRule, type TargetingRule } from './rule.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';

/** How an SDK reads a variation's value, which is always a string on the wire. */
export const VARIATION_TYPES = ['boolean', 'string', 'number', 'json'] as const;
export type VariationType = (typeof VARIATION_TYPES)[number];

export interface Variation {
  readonly id: string;
  readonly name?: string;
  readonly value: string;
}

/** Users who get a variation by name, whatever the rules say. */
interface TargetUsers {
  readonly keyIds: readonly string[];
  readonly variationId: string;
}

/**
 * FeatBit's feature flag document, as it is stored and as server-side SDKs receive it.
 * Fields beyond these are kept and passed on untouched.
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
  /** The variation everybody gets while the flag is off. */
  readonly disabledVariationId: string;
  /** Who gets what when no rule matches. */
  readonly fallthrough: Rollout;
  readonly exptIncludeAllTargets: boolean;
  readonly tags: readonly string[];
  /** ISO 8601 with exactly three fraction digits: the item's version on the wire. */
  readonly updatedAt: string;
  /** An archived flag stays as a tombstone: SDKs learn of its end by it. */
  readonly isArchived: boolean;
  /** A deleted flag is archived too. SDKs never get this field (`wireJson`). */
  readonly isDeleted?: boolean;
}

/** FeatBit's rule for flag keys. */
const FLAG_KEY_PATTERN = /^[a-zA-Z0-9._-]{1,128}$/;

/**
 * Reads a FeatBit flag document from parsed JSON. Fields that old documents lack get FeatBit's defaults; unknown
 * fields are kept; `updatedAt` is brought to three fraction digits (missing: the epoch).
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
    rules: reader.objects('rules', readTargetingRule),
    isEnabled: reader.boolean('isEnabled'),
    disabledVariationId: reader.string('disabledVariationId', ''),
    fallthrough: reader.object('fallthrough', (rollout) => rollout.withExtras(readRollout(rollout))),
    exptIncludeAllTargets: reader.boolean('exptIncludeAllTargets', true),
    tags: reader.strings('tags'),
    updatedAt: readUpdatedAt(reader),
    ...readEnd(reader),
  });
  if (!FLAG_KEY_PATTERN.test(flag.key)) {
    reader.error('key', 'must be 1 to 128 letters, digits, dots, underscores or hyphens');
  }
  checkVariations(reader, flag);
  return flag;
}

/** `updatedAt` of a document in the one form that goes over the wire; shared by flags and segments. */
export function readUpdatedAt(reader: DocumentReader): string {
  const text = reader.string('updatedAt', formatTimestamp(0));
  const ms = parseTimestamp(text);
  if (ms === undefined) reader.error('updatedAt', `"${text}" is not an ISO 8601 instant such as ${formatTimestamp(0)}`);
  return formatTimestamp(ms ?? 0);
}

/** Whether a document is archived or deleted; shared by flags and segments. A deleted one is always archived: SDKs know no other end. */
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

/** Variations must have different ids. A reference to an unknown variation is a warning: only its own users get nothing. */
function checkVariations(reader: DocumentReader, flag: Flag): void {
  if (flag.variations.length === 0) reader.error('variations', 'must hold at least one variation');
  const ids = new Set<string>();
  flag.variations.forEach(({ id }, index) => {
    if (ids.has(id)) reader.error(`variations[${index}].id`, `"${id}" is the id of an earlier variation too`);
    ids.add(id);
  });
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
