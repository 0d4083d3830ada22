import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { fromItem, type StoredDocument } from './item.ts';

/** Documents up to this size travel with their change; larger ones are read from the table when it is delivered. */
export const INLINE_LIMIT_BYTES = 48 * 1024;

/** A written flag or segment on its way to connections, as JSON. */
export interface Change {
  readonly kind: 'flag' | 'segment';
  readonly envId: string;
  readonly id: string;
  readonly updatedAt: number;
  /** The environment's version just before: a receiver that has not seen it has missed something. */
  readonly previous: number;
  /** When it was written, unix milliseconds by the table's clock, which counts full seconds. */
  readonly writtenAt: number;
  /** The document as it was written; absent when it is too large to travel. */
  readonly body?: { readonly text: string } | { readonly gzipBase64: string };
}

/** An attribute of a stream record as Lambda receives it: binary values are base64 text. */
export type StreamAttribute = {
  readonly S?: string | undefined;
  readonly N?: string | undefined;
  readonly B?: string | undefined;
};

/** What of a record of the table's stream is used. */
export interface StreamRecord {
  readonly Keys?: Readonly<Record<string, StreamAttribute>> | undefined;
  /** Absent where the item was deleted. */
  readonly NewImage?: Readonly<Record<string, StreamAttribute>> | undefined;
  /** When the table took the write, unix seconds. */
  readonly ApproximateCreationDateTime?: number | undefined;
}

/**
 * Reads the change out of a stream record. When it was written is by the table's clock, as the writer's may be
 * wrong by more than what connections are told apart by.
 *
 * @returns undefined when the item is neither flag nor segment, or was deleted
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

/** The document that a change carries, as it was stored. @returns undefined when it was too large to travel */
export function storedDocumentOf(change: Change): StoredDocument | undefined {
  const { body, ...rest } = change;
  if (!body) return undefined;
  return {
    ...rest,
    targetedAt: 0,
    body: 'text' in body ? body : { gzip: Buffer.from(body.gzipBase64, 'base64') },
  };
}
