import { gunzipSync, gzipSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Document, documentId } from '../flags/document.ts';
import { parseFlag } from '../flags/flag.ts';
import { formatProblem, type ParseResult } from '../flags/problem.ts';
import { parseSegment } from '../flags/segment.ts';
import { type Item, numberIn, textIn } from './attributes.ts';
import { DocumentTooLarge } from './errors.ts';
import { envIdOfKey, keys } from './keys.ts';

/** A document of the table, still serialised. */
export interface StoredDocument {
  readonly kind: 'flag' | 'segment';
  readonly envId: string;
  /** The flag's key or the segment's id. */
  readonly id: string;
  /** The item's version: unix milliseconds, unique and strictly increasing in its environment. */
  readonly updatedAt: number;
  /** The version that was the environment's last before this one: how a reader notices that one is missing. */
  readonly previous: number;
  /** When it was written by the writer's clock, unix milliseconds; an import may keep an older `updatedAt`. */
  readonly writtenAt: number;
  /** For segments: `updatedAt` of the last change to who belongs to it; 0 when it never changed here. */
  readonly targetedAt: number;
  readonly body: { readonly text: string } | { readonly gzip: Uint8Array };
}

/** Documents from this size on are stored compressed: below it, compression saves no write capacity worth its time. */
const COMPRESS_FROM_BYTES = 4 * 1024;

/**
 * The most a stored document may take, in bytes after compression. DynamoDB refuses items above 400 KB; the rest is
 * room for the item's other attributes.
 */
export const DOCUMENT_LIMIT_BYTES = 390 * 1024;

/**
 * Serialises a document for the table.
 *
 * @throws {DocumentTooLarge} naming the document, its size and the limit
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
  if (stored > DOCUMENT_LIMIT_BYTES) {
    throw new DocumentTooLarge(
      `${source.kind} "${id}" takes ${stored} bytes in the table (${bytes} before compression), more than the limit of ` +
        `${DOCUMENT_LIMIT_BYTES}; nothing was written. Move its users to one or more segments, or split the segment.`,
    );
  }
  return { kind: source.kind, id, ...stamp, body };
}

/**
 * Reads a stored document. What was written went through the same parser, so only a table edited by hand fails.
 */
export function decodeDocument(stored: StoredDocument): ParseResult<Document['document']> {
  try {
    const text = 'text' in stored.body ? stored.body.text : gunzipSync(stored.body.gzip).toString();
    return (stored.kind === 'flag' ? parseFlag : parseSegment)(JSON.parse(text));
  } catch (error) {
    const message = `is not readable: ${(error as Error).message}`;
    return { ok: false, problems: [{ path: '', message, severity: 'error' }] };
  }
}

/** How many bytes a stored document takes as JSON. */
export function documentBytes({ body }: StoredDocument): number {
  if ('text' in body) return Buffer.byteLength(body.text);
  // gzip ends with the size of what it holds (RFC 1952); one that was cut off by hand may have none.
  return body.gzip.length < 4 ? 0 : Buffer.from(body.gzip).readUInt32LE(body.gzip.length - 4);
}

/** What a stored document says; undefined where it cannot be read, or is not there. */
export function contentOf(stored: StoredDocument | undefined): Document['document'] | undefined {
  const result = stored && decodeDocument(stored);
  return result?.ok ? result.value : undefined;
}

/** A document from its stored form, or an error naming it; for operators, who must not lose sight of a broken one. */
export function requireDocument(stored: StoredDocument): Document {
  const result = decodeDocument(stored);
  if (!result.ok) {
    throw new Error(`${stored.kind} "${stored.id}" in the table ${result.problems.map(formatProblem).join('; ')}`);
  }
  return { kind: stored.kind, document: result.value } as Document;
}

/** The table's attributes of a stored document. */
export function toItem(stored: StoredDocument): Record<string, AttributeValue> {
  return {
    ...(stored.kind === 'flag' ? keys.flag(stored.envId, stored.id) : keys.segment(stored.envId, stored.id)),
    kind: { S: stored.kind },
    updatedAt: { N: String(stored.updatedAt) },
    previous: { N: String(stored.previous) },
    writtenAt: { N: String(stored.writtenAt) },
    ...(stored.targetedAt === 0 ? {} : { targetedAt: { N: String(stored.targetedAt) } }),
    ...('text' in stored.body ? { doc: { S: stored.body.text } } : { docGz: { B: stored.body.gzip } }),
  };
}

/** Reads the table's attributes back. @returns undefined for an item that is neither flag nor segment */
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
