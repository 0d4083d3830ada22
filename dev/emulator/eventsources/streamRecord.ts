/** The fields of a stream record that the emulator reads. */
export interface StreamRecord {
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime?: number | undefined };
}

/**
 * The log of changes of all tables with a stream, in place of DynamoDB Streams. A position in a stream is a sequence
 * number, or `TRIM_HORIZON`, which is before all that are kept.
 */
export interface StreamLog<Kept extends StreamRecord = StreamRecord> {
  /** At most `limit` records after a position, in commit order. An empty answer means that nothing newer is stored yet. */
  read(streamArn: string, after: string, limit: number): Promise<Kept[]>;
  /** Calls `listener` with the stream's ARN after records were stored in it. @returns a function that ends it. */
  onAppend(listener: (streamArn: string) => void): () => void;
  /** The sequence number of the newest change of all streams: where a consumer that starts at LATEST begins. */
  latestSequenceNumber(): string;
  /**
   * Stores the position of a consumer of a stream; await it before the next one. A new consumer stores its start before it reads,
   * because records that all known consumers have read are deleted.
   */
  checkpoint(consumer: string, streamArn: string, position: string): Promise<void>;
  /** The position of a consumer, or undefined for an unknown consumer. */
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
