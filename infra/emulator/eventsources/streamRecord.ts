/** What the emulator needs to know of a record of a table's stream. */
export interface StreamRecord {
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime?: number | undefined };
}

/** The log of changes that stands for DynamoDB Streams. */
export interface StreamLog {
  /** At most `limit` records after a sequence number, oldest first. */
  read(streamArn: string, afterSequenceNumber: string, limit: number): Promise<StreamRecord[]>;
  /** Calls `listener` after records were stored. @returns a function that ends it. */
  onAppend(listener: (streamArn: string) => void): () => void;
  /** The sequence number of the newest change: where LATEST begins. */
  latestSequenceNumber(): string;
  checkpoint(consumer: string, streamArn: string, sequenceNumber: string): Promise<void>;
  loadCheckpoint(consumer: string, streamArn: string): Promise<string | undefined>;
}

/** A record's place in its stream. */
export function sequenceNumberOf(record: StreamRecord): string {
  return record.dynamodb.SequenceNumber;
}

/** When a record was made, in unix milliseconds. */
export function createdAt(record: StreamRecord): number {
  return (record.dynamodb.ApproximateCreationDateTime ?? 0) * 1000;
}
