import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/**
 * Responses of at least this size are compressed if the client accepts it. An uncompressed environment of some thousand
 * flags exceeds Lambda's limit of 6 MB.
 */
const COMPRESS_FROM_BYTES = 64 * 1024;

/** Compresses a response's body if it is large, and adds the headers for it. */
export function compressLarge(context: Context, text: string, headers: Record<string, string>) {
  if (text.length < COMPRESS_FROM_BYTES) return text;
  headers['vary'] = 'Accept-Encoding';
  if (!isGzipAccepted(context)) return text;
  headers['content-encoding'] = 'gzip';
  return new Uint8Array(gzipSync(text));
}

function isGzipAccepted(context: Context): boolean {
  const supports = ['gzip', 'identity'];
  return accepts(context, { header: 'Accept-Encoding', supports, default: 'identity' }) === 'gzip';
}
