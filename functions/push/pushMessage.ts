import type { Change } from '../../shared/store/documents/change.ts';

/** Changes of one environment for one shard of its connections: the body of a message of the push queue, as JSON. */
export interface PushMessage {
  readonly shard: number;
  /** Ascending by version. */
  readonly changes: readonly [Change, ...Change[]];
}

/** The two characters that SQS refuses and JSON does not escape. */
const NOT_IN_SQS = /[\ufffe\uffff]/g;

/** The body of a message: JSON in characters that SQS accepts. */
export function bodyOf(message: PushMessage): string {
  return JSON.stringify(message).replace(NOT_IN_SQS, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/**
 * The message group of a shard. Messages of a group are handled in order. A shard is always in the same group.
 *
 * @param groups number of groups of an environment; as many of its deliveries run at once. One less than all deliveries, so that one is
 *   left for other environments
 */
export function groupOf({ shard, changes: [{ envId }] }: PushMessage, groups: number): string {
  return `${envId}#${shard % groups}`;
}

/** Deduplication id: SQS drops a second message with the same id, so changes published twice are delivered once. */
export function deduplicationIdOf({ shard, changes: [first, ...others] }: PushMessage): string {
  return `${first.envId}:${shard}:${first.updatedAt}-${(others.at(-1) ?? first).updatedAt}`;
}
