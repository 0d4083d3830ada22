import type { CompiledFlag } from '../evaluation/flag.ts';
import type { CompiledSegment } from '../evaluation/segment.ts';
import type { Document } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import type { Condition, Rollout } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';
import { wireCondition } from '../flags/wireDocument.ts';

/** The text before and after the documents of a message. */
const ENVELOPE = '{"messageType":"data-sync","data":{"eventType":"full","featureFlags":[],"segments":[]}}';

/** Built once for all SDKs, like the JSON of the whole document. */
const made = new WeakMap<CompiledFlag | CompiledSegment, string>();

/**
 * A document as JSON without fields that none of FeatBit's server-side SDKs reads (checked in their sources).
 *
 * Left out:
 * - descriptions, tags, authors and dates
 * - names of variations and segments
 * - ids of rules and conditions
 * - fields unknown to FeatBit
 *
 * Kept:
 * - a flag's name (Python, Go and Java expose it)
 * - a rule's name (Node, .NET and Rust report it as the reason)
 * - a flag's id (.NET)
 */
export function leanJson(source: CompiledFlag | CompiledSegment): string {
  const known = made.get(source);
  if (known !== undefined) return known;
  const json = leanDocumentJson(
    'evaluate' in source ? { kind: 'flag', document: source.document } : { kind: 'segment', document: source.document },
  );
  made.set(source, json);
  return json;
}

/** Size of the lean documents in a reply to a server-side SDK, in bytes. */
export function leanReplyBytes(documents: readonly Document[]): number {
  const bytes = documents.map((each) => Buffer.byteLength(leanDocumentJson(each)) + ','.length);
  return bytes.reduce((sum, each) => sum + each, ENVELOPE.length);
}

/** {@link leanJson} of a document that is not compiled. */
export function leanDocumentJson({ kind, document }: Document): string {
  return JSON.stringify(kind === 'flag' ? leanFlag(document) : leanSegment(document));
}

/** The fields of a flag that SDKs read. */
function leanFlag(flag: Flag) {
  const { id, key, name, variationType, isEnabled, disabledVariationId, exptIncludeAllTargets, updatedAt } = flag;
  return {
    id,
    key,
    name,
    variationType,
    variations: flag.variations.map(({ id, value }) => ({ id, value })),
    targetUsers: flag.targetUsers.map(({ keyIds, variationId }) => ({ keyIds, variationId })),
    rules: flag.rules.map(({ name, conditions, ...rollout }) => ({
      name,
      conditions: conditions.map(leanCondition),
      ...leanRollout(rollout),
    })),
    isEnabled,
    disabledVariationId,
    fallthrough: leanRollout(flag.fallthrough),
    exptIncludeAllTargets,
    updatedAt,
    isArchived: flag.isArchived,
  };
}

/** The fields of a segment that SDKs read. */
function leanSegment({ id, included, excluded, rules, updatedAt, isArchived }: Segment) {
  const leanRules = rules.map(({ conditions }) => ({ conditions: conditions.map(leanCondition) }));
  return { id, included, excluded, rules: leanRules, updatedAt, isArchived };
}

function leanCondition(condition: Condition) {
  const { property, op, value } = wireCondition(condition);
  return { property, op, value };
}

function leanRollout({ dispatchKey, includedInExpt, variations }: Rollout) {
  return {
    dispatchKey,
    includedInExpt,
    variations: variations.map(({ id, rollout, exptRollout }) => ({ id, rollout, exptRollout })),
  };
}
