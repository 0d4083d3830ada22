import { printable } from '../../shared/protocol/printable.ts';
import { type Change, changeFromRecord, type StreamRecord } from '../../shared/store/change.ts';
import { type ExpiredEntry, expiredFromRecord } from '../../shared/store/journal.ts';
import { type Revocation, revocationsFromRecord } from './revocation.ts';

/** A record of the flags table's stream as Lambda hands it in. */
export interface EventRecord {
  readonly dynamodb?: StreamRecord & { readonly SequenceNumber?: string | undefined };
}

/** What an operator needs to find an item that cannot be read: its place, never what it holds. */
export interface UnreadableRecord {
  readonly sequenceNumber: string;
  readonly pk: string;
  readonly sk: string;
  readonly reason: string;
}

/** What a record means to pushes and snapshots. */
interface ReadRecord {
  /** Reported to Lambda to have it handed in again. */
  readonly itemIdentifier: string;
  readonly change?: Change | undefined;
  readonly revocations?: readonly Revocation[];
  readonly expired?: ExpiredEntry | undefined;
  readonly unreadable?: UnreadableRecord;
}

/**
 * What SQS takes in the id of a message group, less the room for what `groupOf` and `deduplicationIdOf` add: 128 characters
 * of ASCII that can be seen.
 */
const GROUP_NAME = /^[!-~]{1,90}$/;

/** Reads a record of the flags table's stream. @returns undefined when it is of no interest to connections or snapshots */
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

/** The table holds what its writer checked; only an item that was edited by hand fails. @throws Error saying what it lacks */
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
  // A secret's key is the digest of it, which no log holds.
  const pk = textOf('pk').replace(/^SECRET#.*/s, 'SECRET#…');
  return { sequenceNumber: SequenceNumber, pk, sk: textOf('sk'), reason: printable(message) };
}
