import type { StreamLog, StreamRecord } from '../eventsources/streamRecord.ts';

/** A record of {@link memoryStream}: a change of an item of some kind. */
export interface TestRecord extends StreamRecord {
  readonly eventName: string;
  readonly dynamodb: StreamRecord['dynamodb'] & { readonly NewImage: { readonly kind: { readonly S: string } } };
}

/** A stream in memory, with its checkpoints in sight. */
interface MemoryStream extends StreamLog {
  append(...records: { kind?: string; createdAtMs?: number }[]): void;
  readonly checkpoints: string[];
}

/** Makes a {@link MemoryStream}. Sequence numbers are 1, 2, … */
export function memoryStream(now: () => number): MemoryStream {
  const records: TestRecord[] = [];
  const listeners = new Set<(streamArn: string) => void>();
  const known = new Map<string, string>();
  const checkpoints: string[] = [];
  return {
    checkpoints,
    append(...added) {
      for (const { kind = 'flag', createdAtMs = now() } of added) {
        records.push({
          eventName: 'INSERT',
          dynamodb: {
            SequenceNumber: String(records.length + 1),
            ApproximateCreationDateTime: Math.floor(createdAtMs / 1000),
            NewImage: { kind: { S: kind } },
          },
        });
      }
      for (const listener of listeners) listener('stream');
    },
    read: async (_arn, after, limit) => records.slice(after === 'TRIM_HORIZON' ? 0 : Number(after)).slice(0, limit),
    onAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    latestSequenceNumber: () => String(records.length),
    checkpoint: async (consumer, _arn, position) => {
      known.set(consumer, position);
      checkpoints.push(position);
    },
    loadCheckpoint: async (consumer) => known.get(consumer),
  };
}
