import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { attributesOf, numberIn } from '../table/attributes.ts';
import { NotFound } from '../table/errors.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { conditionOf, IS_NEW } from '../table/write.ts';

/**
 * How many copies of an environment's version exist. Every sync reads one with strong consistency, and one partition of
 * DynamoDB answers 3,000 such reads a second; every write pays for all copies.
 */
export const VERSION_REPLICAS = 4;

/** The version of an environment. */
export interface Version {
  /** Its last `updatedAt`, unix milliseconds; 0 before the first write. */
  readonly updatedAt: number;
  /** The version before its last transaction: what that wrote lies above it, up to `updatedAt`. */
  readonly previous: number;
  /** When that was written by the writer's clock: not the same where an import keeps older timestamps. */
  readonly writtenAt: number;
  /** Whether a write of several transactions lacks its last: flags may be owed a new version still. */
  readonly isUnfinished: boolean;
  /** Whether its writer, and every later one, waits before it acknowledges ({@link AWAITED}). */
  readonly isAwaited: boolean;
}

/**
 * The fraction of `updatedAt` in a version whose writer waits. JavaScript's numbers are too coarse for it, so readers get the
 * integer. DynamoDB compares all 38 digits. A writer of release 0.2.0 does not wait, and expects the integer, so DynamoDB
 * refuses its write (docs/decisions/0037-commit-wait.md).
 */
const AWAITED = '.00000000000000001';

/**
 * Reads an environment's version with strong consistency, from one replica chosen at random: all acknowledged writes
 * are in it.
 *
 * @throws {NotFound} when there is no such environment
 */
export async function readVersion(table: Table, envId: string): Promise<Version> {
  const replica = Math.floor(table.effects.random() * VERSION_REPLICAS);
  const item = await readItem(table, keys.version(envId, replica));
  if (!item) throw new NotFound(`there is no environment "${envId}"; \`env list\` shows those there are`);
  return {
    updatedAt: numberIn(item, 'updatedAt'),
    previous: numberIn(item, 'previous'),
    writtenAt: numberIn(item, 'writtenAt'),
    isUnfinished: item['isUnfinished']?.BOOL ?? false,
    isAwaited: item['updatedAt']?.N?.endsWith(AWAITED) ?? false,
  };
}

/**
 * The part of a transaction that moves an environment from one version to the next, on all replicas, and fails if
 * somebody else has moved it meanwhile.
 *
 * @param expected undefined to create an environment that must not exist yet
 */
export function moveVersion(
  { name: TableName }: Table,
  envId: string,
  expected: Version | undefined,
  next: Version,
): TransactWriteItem[] {
  const { previous, writtenAt } = next;
  const isUnfinished = next.isUnfinished ? { BOOL: true } : undefined;
  const version = attributesOf({ updatedAt: updatedAtOf(next), previous, writtenAt, isUnfinished });
  const condition = expected
    ? { condition: 'updatedAt = :expected', values: { expected: updatedAtOf(expected) } }
    : IS_NEW;
  return Array.from({ length: VERSION_REPLICAS }, (_, replica) => ({
    Put: { TableName, Item: { ...keys.version(envId, replica), ...version }, ...conditionOf(condition) },
  }));
}

function updatedAtOf({ updatedAt, isAwaited }: Version) {
  return { N: `${updatedAt}${isAwaited ? AWAITED : ''}` };
}
