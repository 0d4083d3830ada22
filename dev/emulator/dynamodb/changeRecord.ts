import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord, StreamRecord } from 'aws-lambda';
import { engine, type Item, primaryKey, type StreamViewType, type Table } from './dynaliteInternals.ts';
import type { Change } from './stage.ts';

/** One change of a table as a Lambda function gets it from a DynamoDB stream (event version 1.1). */
export interface ChangeRecord extends DynamoDBRecord {
  eventID: string;
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  eventSourceARN: string;
  dynamodb: StreamRecord & { Keys: Item; SequenceNumber: string };
}

/** The service that made a change. Absent for changes of clients. */
export interface UserIdentity {
  type: 'Service';
  principalId: string;
}

/** Fields of a record besides the change. `now` is unix ms. */
interface RecordContext {
  sequenceNumber: string;
  awsRegion: string;
  now: number;
  userIdentity?: UserIdentity | undefined;
}

/** The ARN of a table's stream, or undefined when it has none. */
export function streamArnOf(table: Table): string | undefined {
  return table.StreamSpecification?.StreamEnabled ? table.LatestStreamArn : undefined;
}

/** Checks whether a write left its item as it was. DynamoDB writes no record for such a write. */
export function changesNothing(change: Change): boolean {
  return isDeepStrictEqual(inSetOrder(change.before), inSetOrder(change.after));
}

/** Builds the record of a change in a table with a stream. SizeBytes counts what the record shows. */
export function changeRecord(change: Change, context: RecordContext): ChangeRecord {
  const { table, before, after } = change;
  const view = table.StreamSpecification?.StreamViewType as StreamViewType;
  const shown: { Keys: Item; NewImage?: Item; OldImage?: Item } = {
    Keys: primaryKey((after ?? before) as Item, table),
  };
  if (after !== undefined && (view === 'NEW_IMAGE' || view === 'NEW_AND_OLD_IMAGES')) shown.NewImage = after;
  if (before !== undefined && (view === 'OLD_IMAGE' || view === 'NEW_AND_OLD_IMAGES')) shown.OldImage = before;
  return {
    eventID: randomBytes(16).toString('hex'),
    eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: context.awsRegion,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(context.now / 1000),
      ...shown,
      SequenceNumber: context.sequenceNumber,
      SizeBytes: Object.values(shown).reduce((size, item) => size + engine.itemSize(item), 0),
      StreamViewType: view,
    },
    eventSourceARN: streamArnOf(table) as string,
    ...(context.userIdentity && { userIdentity: context.userIdentity }),
  };
}

/** An item in which equal sets have equal lists. A set's type names a list; an attribute of that name has an object. */
function inSetOrder(item: Item = {}): unknown {
  return JSON.parse(JSON.stringify(item), (name, value: unknown) =>
    Array.isArray(value) && /^[BNS]S$/.test(name) ? value.sort() : value,
  );
}
