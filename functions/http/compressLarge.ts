import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { OfferCompression } from './bodyGate.ts';

/** Responses of at least this many characters are compressed if the client accepts it. Shorter ones save little. */
const COMPRESS_FROM = 4_096;

/** Maximum size in bytes of the compressed bodies that are kept for further responses. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** Compressed bodies by the hash of their text, oldest first: server-side SDKs of an environment get equal ones. */
const kept = new Map<string, Uint8Array<ArrayBuffer>>();
let keptBytes = 0;

/** Compresses a response's body if it is large and the process has time for it, and adds the headers for it. */
export function compressLarge(
  context: Context,
  text: string,
  headers: Record<string, string>,
  offer: OfferCompression,
): string | Uint8Array<ArrayBuffer> {
  if (text.length < COMPRESS_FROM) return text;
  headers['vary'] = 'Accept-Encoding';
  if (!isGzipAccepted(context)) return text;
  const compressed = compress(text, offer);
  if (!compressed) return text;
  headers['content-encoding'] = 'gzip';
  return compressed;
}

function isGzipAccepted(context: Context): boolean {
  const supports = ['gzip', 'identity'];
  return accepts(context, { header: 'Accept-Encoding', supports, default: 'identity' }) === 'gzip';
}

/** @returns undefined if it may not be compressed now */
function compress(text: string, offer: OfferCompression): Uint8Array<ArrayBuffer> | undefined {
  const id = hash('sha256', text, 'base64');
  const known = kept.get(id);
  if (known) return known;
  let made: Uint8Array<ArrayBuffer> | undefined;
  offer(text, (isAllowed) => {
    if (isAllowed) made = new Uint8Array(gzipSync(text));
  });
  if (!made) return undefined;
  kept.set(id, made);
  keptBytes += made.length;
  for (const [oldest, { length }] of kept) {
    if (keptBytes <= KEPT_BYTES) break;
    kept.delete(oldest);
    keptBytes -= length;
  }
  return made;
}
