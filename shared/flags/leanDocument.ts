import type { Document } from './document.ts';
import type { Flag } from './flag.ts';
import type { Condition, Rollout } from './rule.ts';
import type { Segment } from './segment.ts';
import { wireCondition } from './wireDocument.ts';

/**
 * Maximum size of a document in a message of its own for a server-side SDK, in bytes: API Gateway's limit of a WebSocket
 * message. The store refuses larger documents, so that every environment can be served by every design.
 */
export const SENDABLE_BYTES = 128 * 1024;

/** The text before and after the documents of a message. */
export const ENVELOPE = '{"messageType":"data-sync","data":{"eventType":"patch","featureFlags":[],"segments":[]}}';

/** A message with a document is smaller than five times the JSON of the document in characters, plus the envelope. */
const MOST_GROWTH = 5;

/** Whether a message of at most this size carries every document of at most this size as JSON, in bytes. */
export function certainlyFits(jsonBytes: number, limitBytes = SENDABLE_BYTES): boolean {
  return jsonBytes * MOST_GROWTH + ENVELOPE.length <= limitBytes;
}

/**
 * Size of the smallest message that carries a document ({@link leanDocumentJson}), in bytes, if it is above a limit.
 * Undefined otherwise. Most documents are so small that their bytes need not be counted.
 */
export function bytesAbove(limitBytes: number, document: Document): number | undefined {
  if (certainlyFits(JSON.stringify(document.document).length, limitBytes)) return undefined;
  const bytes = ENVELOPE.length + new TextEncoder().encode(leanDocumentJson(document)).length;
  return bytes > limitBytes ? bytes : undefined;
}

/** Why no message carries a document of this size, and what to do. */
export function problemOfSize(kind: Document['kind'], bytes: number): string {
  const advice =
    kind === 'flag' ? 'move its users to segments, or shorten its values' : 'split it, or use rules on attributes';
  return `takes ${bytes} bytes in a message, more than the limit of ${SENDABLE_BYTES}: ${advice}`;
}

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
