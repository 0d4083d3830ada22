import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/**
 * Answers from this size on are compressed where the client allows it: Lambda's limit is 6 MB, which an environment of
 * some thousand flags exceeds uncompressed.
 */
const COMPRESS_FROM_BYTES = 64 * 1024;

/** An answer's body, compressed where that is worth it; what the client must know of that is added to the headers. */
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
