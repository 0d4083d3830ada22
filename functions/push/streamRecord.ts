import { printable } from '../../shared/protocol/printable.ts';
import { type Change, changeFromRecord } from '../../shared/store/documents/change.ts';
import { type ExpiredEntry, expiredFromRecord } from '../../shared/store/documents/journal.ts';
import type { EventRecord } from '../invocation.ts';
import { type Revocation, revocationsFromRecord } from './revocation.ts';

/** The key of an unreadable item for an operator; never its content. */
export interface UnreadableRecord {
  readonly sequenceNumber: string;
  readonly pk: string;
  readonly sk: string;
  readonly reason: string;
}

/** What a record means for pushes and snapshots. */
interface ReadRecord {
  /** Reported to Lambda to retry the record. */
  readonly itemIdentifier: string;
  readonly change?: Change | undefined;
  readonly revocations?: readonly Revocation[];
  readonly expired?: ExpiredEntry | undefined;
  readonly unreadable?: UnreadableRecord;
}

/**
 * Ids that SQS accepts in a message group id (128 visible ASCII characters), less the room for what `groupOf` and
 * `deduplicationIdOf` add.
 */
const GROUP_NAME = /^[!-~]{1,90}$/;

/** Parses a record of the flags table's stream. @returns undefined if it is irrelevant for connections and snapshots */
export function readRecord({ dynamodb = {} }: EventRecord): ReadRecord | undefined {
  const itemIdentifier = dynamodb.SequenceNumber ?? '';
  try {
    const change = changeFromRecord(dynamodb);
    if (change) requireDeliverable(change);
    const revocations = revocationsFromRecord(dynamodb);
    const expired = expiredFromRecord(dynamodb);
    return change || expired || revocations.length > 0 ? { change, revocations, expired, itemIdentifier } : undefined;
  } catch (error) {
    return { itemIdentifier, unreadable: placeOf(dynamodb, error as Error) };
  }
}

/** Writers validate items, so only an item that was edited by hand fails. @throws Error with the reason */
function requireDeliverable({ envId, id, updatedAt, previous }: Change): void {
  if (!GROUP_NAME.test(envId)) throw new Error('the environment in pk is not 1 to 90 characters of visible ASCII');
  if (id === '') throw new Error('sk names no flag or segment');
  if (!(Number.isSafeInteger(updatedAt) && updatedAt > 0)) throw new Error('updatedAt is no version');
  if (!Number.isSafeInteger(previous)) throw new Error('previous is no version');
}

function placeOf(
  { NewImage, SequenceNumber = '' }: NonNullable<EventRecord['dynamodb']>,
  { message }: Error,
): UnreadableRecord {
  const textOf = (name: string) => printable(String(NewImage?.[name]?.S ?? ''));
  // A secret's key is its digest, which must not be logged.
  const pk = textOf('pk').replace(/^SECRET#.*/s, 'SECRET#…');
  return { sequenceNumber: SequenceNumber, pk, sk: textOf('sk'), reason: printable(message) };
}
