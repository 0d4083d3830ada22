import { gunzipSync, gzipSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Document, documentId } from '../../flags/document.ts';
import { parseDocument } from '../../flags/parseDocument.ts';
import { formatProblem, type ParseResult } from '../../flags/problem.ts';
import { wellFormedJson } from '../../flags/wellFormed.ts';
import { attributesOf, type Item, numberIn, textIn } from '../table/attributes.ts';
import { DocumentTooLarge } from '../table/errors.ts';
import { envIdOfKey, keys } from '../table/keys.ts';

/** A document of the table, still serialized. */
export interface StoredDocument {
  readonly kind: 'flag' | 'segment';
  readonly envId: string;
  /** The flag's key or the segment's id. */
  readonly id: string;
  /** The item's version: unix milliseconds, unique and strictly increasing in its environment. */
  readonly updatedAt: number;
  /** The environment's version before this one. It lets a reader detect a missing change. */
  readonly previous: number;
  /** Write time by the writer's clock, unix milliseconds. An import may keep an older `updatedAt`. */
  readonly writtenAt: number;
  /** For segments: `updatedAt` of the last membership change; 0 if there was none here. */
  readonly targetedAt: number;
  readonly body: { readonly text: string } | { readonly gzip: Uint8Array };
}

/** Documents of at least this size are compressed. For smaller ones, compression saves too little write capacity. */
const COMPRESS_FROM_BYTES = 4 * 1024;

/**
 * Maximum size of a stored document, in bytes after compression. DynamoDB refuses items above 400 KB. The item's other
 * attributes need the rest.
 */
export const DOCUMENT_LIMIT_BYTES = 390 * 1024;

/** Maximum size before compression, in bytes. Texts that repeat take little of the table, but memory of all that read them. */
const TEXT_LIMIT_BYTES = 2 * 1024 * 1024;

/**
 * Serializes a document for the table.
 *
 * @throws {DocumentTooLarge} with the document's name, its size and the limit
 */
export function encodeDocument(
  source: Document,
  stamp: Pick<StoredDocument, 'envId' | 'updatedAt' | 'previous' | 'writtenAt' | 'targetedAt'>,
): StoredDocument {
  const text = JSON.stringify(source.document);
  const bytes = Buffer.byteLength(text);
  const body = bytes < COMPRESS_FROM_BYTES ? { text } : { gzip: gzipSync(text) };
  const stored = 'gzip' in body ? body.gzip.length : bytes;
  const id = documentId(source);
  if (stored > DOCUMENT_LIMIT_BYTES || bytes > TEXT_LIMIT_BYTES) {
    throw new DocumentTooLarge(
      `${source.kind} "${id}" takes ${stored} bytes in the table (${bytes} before compression), more than the limits of ` +
        `${DOCUMENT_LIMIT_BYTES} (${TEXT_LIMIT_BYTES}); nothing was written. Shorten its texts, or move its users to one or more segments, or split the segment.`,
    );
  }
  return { kind: source.kind, id, ...stamp, body };
}

/** Parses a stored document. All writes use the same parser, so this fails only after a manual edit of the table. */
export function decodeDocument(stored: StoredDocument): ParseResult<Document> {
  try {
    const text = 'text' in stored.body ? stored.body.text : gunzipSync(stored.body.gzip).toString();
    return parseDocument(stored.kind, JSON.parse(wellFormedJson(text)));
  } catch (error) {
    const message = `is not readable: ${(error as Error).message}`;
    return { ok: false, problems: [{ path: '', message, severity: 'error' }] };
  }
}

/** The size of a stored document as JSON, in bytes. */
export function documentBytes({ body }: StoredDocument): number {
  if ('text' in body) return Buffer.byteLength(body.text);
  // gzip data ends with the uncompressed size (RFC 1952). Truncated data may lack it.
  return body.gzip.length < 4 ? 0 : Buffer.from(body.gzip).readUInt32LE(body.gzip.length - 4);
}

/** The document in its stored form. Undefined if it is missing or unreadable. */
export function contentOf(stored: StoredDocument | undefined): Document['document'] | undefined {
  return stored && readableDocument(stored)?.document;
}

/** {@link contentOf} with its kind. */
export function readableDocument(stored: StoredDocument): Document | undefined {
  const result = decodeDocument(stored);
  return result.ok ? result.value : undefined;
}

/** The document in its stored form. It throws an error that names an unreadable document, so that operators see it. */
export function requireDocument(stored: StoredDocument): Document {
  const result = decodeDocument(stored);
  if (!result.ok) {
    throw new Error(`${stored.kind} "${stored.id}" in the table ${result.problems.map(formatProblem).join('; ')}`);
  }
  return result.value;
}

/** The table's attributes of a stored document. */
export function toItem(stored: StoredDocument): Record<string, AttributeValue> {
  const { kind, envId, id, updatedAt, previous, writtenAt, targetedAt, body } = stored;
  const content = 'text' in body ? { doc: body.text } : { docGz: { B: body.gzip } };
  return {
    ...(kind === 'flag' ? keys.flag(envId, id) : keys.segment(envId, id)),
    ...attributesOf({ kind, updatedAt, previous, writtenAt, targetedAt: targetedAt || undefined, ...content }),
  };
}

/** Parses the table's attributes. @returns undefined if the item is neither flag nor segment */
export function fromItem(item: Item): StoredDocument | undefined {
  const kind = item['kind']?.S;
  if (kind !== 'flag' && kind !== 'segment') return undefined;
  const sortKey = textIn(item, 'sk');
  const compressed = item['docGz']?.B;
  return {
    kind,
    envId: envIdOfKey(textIn(item, 'pk')),
    id: sortKey.slice(sortKey.indexOf('#') + 1),
    updatedAt: numberIn(item, 'updatedAt'),
    previous: numberIn(item, 'previous'),
    writtenAt: numberIn(item, 'writtenAt'),
    targetedAt: numberIn(item, 'targetedAt'),
    body: compressed ? { gzip: compressed } : { text: textIn(item, 'doc') },
  };
}
