import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';

/** Responses of at least this many characters are compressed if the client accepts it. Shorter ones save little. */
const COMPRESS_FROM = 4_096;

/** Maximum size in bytes of the compressed bodies that are kept for further responses. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** Compressed bodies by the hash of their text, oldest first: server-side SDKs of an environment get equal ones. */
const kept = new Map<string, Uint8Array<ArrayBuffer>>();
let keptBytes = 0;

/** Compresses a response's body if it is large, and adds the headers for it. */
export function compressLarge(context: Context, text: string, headers: Record<string, string>) {
  if (text.length < COMPRESS_FROM) return text;
  headers['vary'] = 'Accept-Encoding';
  if (!isGzipAccepted(context)) return text;
  headers['content-encoding'] = 'gzip';
  return compress(text);
}

function isGzipAccepted(context: Context): boolean {
  const supports = ['gzip', 'identity'];
  return accepts(context, { header: 'Accept-Encoding', supports, default: 'identity' }) === 'gzip';
}

function compress(text: string): Uint8Array<ArrayBuffer> {
  const id = hash('sha256', text, 'base64');
  const known = kept.get(id);
  if (known) return known;
  const made = new Uint8Array(gzipSync(text));
  kept.set(id, made);
  keptBytes += made.length;
  for (const [oldest, { length }] of kept) {
    if (keptBytes <= KEPT_BYTES) break;
    kept.delete(oldest);
    keptBytes -= length;
  }
  return made;
}
