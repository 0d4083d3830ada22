import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { attributesOf, numberIn, textIn } from '../table/attributes.ts';
import { NotFound } from '../table/errors.ts';
import { conditionOf, IS_NEW } from '../table/itemCondition.ts';
import { type Key, keys } from '../table/keys.ts';
import { readItem, readItems, sortKeys } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import type { ReadTable } from '../table/tableRequests.ts';

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
  /**
   * The version with which the environment began. Versions of its documents are above it. Those of a deleted environment with the
   * same id are below it, and so are versions from after the time to which the table was restored. 0: there are none.
   */
  readonly initial: number;
  /** Whether it was written to another table, of which this one is a restored copy. */
  readonly isRestored: boolean;
}

/**
 * The fraction of `updatedAt` in a version whose writer waits. JavaScript's numbers are too coarse for it, so readers get the
 * integer. DynamoDB compares all 38 digits. A writer that does not wait expects the integer, so DynamoDB refuses its write
 * (docs/decisions/0037-commit-wait.md).
 */
const AWAITED = '.00000000000000001';

/**
 * The attributes of a version's `initial`, and of the table that it was written to. The policies for editors allow only these names.
 */
const [INITIAL, TABLE] = ['at', 'by'];

/**
 * Reads an environment's version with strong consistency, from one replica chosen at random: all acknowledged writes
 * are in it.
 *
 * @throws {NotFound} when there is no such environment
 */
export async function readVersion(table: ReadTable, envId: string): Promise<Version> {
  const replica = Math.floor(table.effects.random() * VERSION_REPLICAS);
  const item = await readItem(table, keys.version(envId, replica));
  if (!item) throw new NotFound(`there is no environment "${envId}"; \`env list\` shows those there are`);
  return {
    updatedAt: numberIn(item, 'updatedAt'),
    previous: numberIn(item, 'previous'),
    writtenAt: numberIn(item, 'writtenAt'),
    isUnfinished: item['isUnfinished']?.BOOL ?? false,
    isAwaited: item['updatedAt']?.N?.endsWith(AWAITED) ?? false,
    initial: numberIn(item, INITIAL),
    isRestored: !['', table.name].includes(textIn(item, TABLE)),
  };
}

/** The version of a new environment: 0, or the next one after a deleted environment with the same id. */
export async function initialVersion(table: Table, envId: string): Promise<Version> {
  const { pk, sk } = keys.lastVersion(envId);
  // A query, because a stack that declares environments may not read single items.
  const [last] = await readItems(table, pk, sortKeys('=', sk));
  const updatedAt = last ? numberIn(last, 'updatedAt') + 1 : 0;
  const writtenAt = table.effects.now();
  // Version 0 cannot have the fraction.
  const marks = { isUnfinished: false, isAwaited: false, isRestored: false };
  return { updatedAt, previous: updatedAt, initial: updatedAt, writtenAt, ...marks };
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
  const { previous, writtenAt, initial } = next;
  const isUnfinished = next.isUnfinished ? { BOOL: true } : undefined;
  // A write without documents leaves a restored version as it is.
  const marks = { isUnfinished, [INITIAL]: initial || undefined, [TABLE]: next.isRestored ? '-' : TableName };
  const version = attributesOf({ updatedAt: updatedAtOf(next), previous, writtenAt, ...marks });
  const condition = expected ? isStill(expected) : conditionOf(IS_NEW);
  return replicas(envId).map((key) => ({ Put: { TableName, Item: { ...key, ...version }, ...condition } }));
}

/**
 * The part of a transaction that deletes the version of an environment, so that nobody can write to it. It keeps the number for
 * {@link initialVersion}. It fails if somebody has moved the version meanwhile.
 */
export function endVersion({ name: TableName }: Table, envId: string, last: Version): TransactWriteItem[] {
  const Item = { ...keys.lastVersion(envId), ...attributesOf({ updatedAt: last.updatedAt }) };
  return [
    ...replicas(envId).map((Key) => ({ Delete: { TableName, Key, ...isStill(last) } })),
    { Put: { TableName, Item } },
  ];
}

function replicas(envId: string): Key[] {
  return Array.from({ length: VERSION_REPLICAS }, (_, replica) => keys.version(envId, replica));
}

function isStill(version: Version) {
  return conditionOf({ condition: 'updatedAt = :expected', values: { expected: updatedAtOf(version) } });
}

function updatedAtOf({ updatedAt, isAwaited }: Version) {
  return { N: `${updatedAt}${isAwaited ? AWAITED : ''}` };
}
