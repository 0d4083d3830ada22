import type { Change } from '../../shared/store/change.ts';

/** One change for one shard of its environment's connections: the body of a message of the push queue, as JSON. */
export interface PushWork {
  readonly shard: number;
  readonly change: Change;
}

/** Messages of one group are handled one after another, in order. */
export function groupOf({ shard, change }: PushWork): string {
  return `${change.envId}#${shard}`;
}

/** Two messages with one deduplication id are one: a change that is published again is not delivered again. */
export function deduplicationIdOf({ shard, change }: PushWork): string {
  return `${change.envId}:${shard}:${change.updatedAt}`;
}

/** Which of a batch could not be handled, in the form that Lambda's event sources take. */
export interface BatchResult {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}
