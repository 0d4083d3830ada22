/** DynamoDB's sequence numbers are decimal strings of 21 digits and more; of one width, they sort as they count. */
const digits = 21;

/** The position before the oldest record: a consumer that starts here misses nothing that is kept. */
export const TRIM_HORIZON = 'TRIM_HORIZON';

/** The nth sequence number of the log. */
export function sequenceNumber(n: number): string {
  return String(n).padStart(digits, '0');
}

/**
 * A position in a form that sorts: `TRIM_HORIZON` before every sequence number.
 * @throws Error for what is neither. Taken for a position it would sort somewhere, and trimming would remove records by it.
 */
export function sortablePosition(position: string): string {
  if (position === TRIM_HORIZON) return '';
  if (position.length === digits && /^\d+$/.test(position)) return position;
  throw new Error(`"${position}" is not a position in a stream: use ${TRIM_HORIZON} or a record's SequenceNumber`);
}

/** The key of the last sequence number. */
export const lastSequenceKey = 'sequence';

/** Keys of the change log and of the positions of its consumers. */
export const feedKey = {
  records: (streamArn: string): string => `stream~${streamArn}~`,
  record: (streamArn: string, position: string): string => `stream~${streamArn}~${sortablePosition(position)}`,
  checkpoints: (streamArn: string): string => `checkpoint~${streamArn}~`,
  checkpoint: (streamArn: string, consumer: string): string => `checkpoint~${streamArn}~${consumer}`,
};
