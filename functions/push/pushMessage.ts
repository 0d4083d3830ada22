import type { Change } from '../../shared/store/change.ts';

/** Changes of one environment for one shard of its connections: the body of a message of the push queue, as JSON. */
export interface PushMessage {
  readonly shard: number;
  /** Ascending by version. */
  readonly changes: readonly [Change, ...Change[]];
}

/** The two characters that SQS takes in no message, and JSON leaves as they are. */
const NOT_IN_SQS = /[\ufffe\uffff]/g;

/** The body of a message: JSON, of characters that SQS takes. */
export function bodyOf(work: PushMessage): string {
  return JSON.stringify(work).replace(NOT_IN_SQS, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/** Messages of one group are handled one after another, in order. */
export function groupOf({ shard, changes: [{ envId }] }: PushMessage): string {
  return `${envId}#${shard}`;
}

/** Two messages with one deduplication id are one: changes that are published again are not delivered again. */
export function deduplicationIdOf({ shard, changes: [first, ...others] }: PushMessage): string {
  return `${first.envId}:${shard}:${first.updatedAt}-${(others.at(-1) ?? first).updatedAt}`;
}

/** The version that a shard is at once all of it is delivered. */
export function versionOf({ changes }: PushMessage): number {
  return Math.max(...changes.map(({ updatedAt }) => updatedAt));
}

/** Which of a batch could not be handled, in the form that Lambda's event sources take. */
export interface BatchResult {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}
