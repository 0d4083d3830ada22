import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { fromItem, type StoredDocument } from './item.ts';

/** Documents up to this size travel with their change. Larger ones are read from the table at delivery. */
export const INLINE_LIMIT_BYTES = 48 * 1024;

/** A written flag or segment on its way to connections, as JSON. */
export interface Change extends Pick<StoredDocument, 'kind' | 'envId' | 'id' | 'updatedAt' | 'previous'> {
  /** Write time by the table's clock, which has full seconds, in unix milliseconds. */
  readonly writtenAt: number;
  /** The document as written. Absent if it is too large to travel. */
  readonly body?: { readonly text: string } | { readonly gzipBase64: string };
}

/** An attribute of a stream record as Lambda receives it: binary values are base64 text. */
export type StreamAttribute = {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly B?: string | undefined;
};

/** The fields of a stream record that are used. */
export interface StreamRecord {
  readonly Keys?: Readonly<Record<string, StreamAttribute>> | undefined;
  /** Absent if the item was deleted. */
  readonly NewImage?: Readonly<Record<string, StreamAttribute>> | undefined;
  /** When the table accepted the write, unix seconds. */
  readonly ApproximateCreationDateTime?: number | undefined;
}

/**
 * Reads the change from a stream record. The write time is the table's: a writer's clock may be too wrong to order
 * connections by it.
 *
 * @returns undefined if the item is neither flag nor segment, or was deleted
 */
export function changeFromRecord({ NewImage: image = {}, ...record }: StreamRecord): Change | undefined {
  const stored = fromItem(
    Object.fromEntries(
      Object.entries(image).map(([name, { S, N, B }]) => [
        name,
        (B === undefined ? { S, N } : { B: Buffer.from(B, 'base64') }) as AttributeValue,
      ]),
    ),
  );
  if (!stored) return undefined;
  const { kind, envId, id, updatedAt, previous } = stored;
  const { ApproximateCreationDateTime: seconds } = record;
  const writtenAt = seconds === undefined ? stored.writtenAt : seconds * 1000;
  const body =
    'text' in stored.body
      ? { text: stored.body.text }
      : { gzipBase64: Buffer.from(stored.body.gzip).toString('base64') };
  const bytes = Buffer.byteLength('text' in body ? body.text : body.gzipBase64);
  return { kind, envId, id, updatedAt, previous, writtenAt, ...(bytes <= INLINE_LIMIT_BYTES ? { body } : {}) };
}

/** The document that a change carries, as stored. @returns undefined if it was too large to travel */
export function storedDocumentOf(change: Change): StoredDocument | undefined {
  const { body, ...rest } = change;
  if (!body) return undefined;
  return {
    ...rest,
    targetedAt: 0,
    body: 'text' in body ? body : { gzip: Buffer.from(body.gzipBase64, 'base64') },
  };
}
