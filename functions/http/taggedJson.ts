import { hash } from 'node:crypto';
import type { Context } from 'hono';
import type { BodyGate } from './bodyGate.ts';
import { compressLarge } from './compressLarge.ts';

/** Headers of a JSON response. */
export const JSON_HEADERS = { 'content-type': 'application/json' };

/** Responds with JSON and its entity tag, compressed if it is large. Responds with 304 if the client has this JSON. */
export async function sendTaggedJson(context: Context, bodyGate: BodyGate, make: () => string) {
  const headers: Record<string, string> = { ...JSON_HEADERS };
  let isKnown = false;
  const body = await bodyGate(context, (offer) => {
    const text = make();
    const tag = `"${hash('sha256', text, 'base64url')}"`;
    // Weak, because the compressed response has the same tag.
    headers['etag'] = `W/${tag}`;
    isKnown = names(context.req.header('if-none-match'), tag);
    return isKnown ? '' : compressLarge(context, text, headers, offer);
  });
  if (!isKnown) return context.body(body, 200, headers);
  return context.body(null, 304, { etag: headers['etag'] ?? '' });
}

/** Whether an `If-None-Match` contains a tag, weak or strong. */
function names(ifNoneMatch: string | undefined, tag: string): boolean {
  const named = (ifNoneMatch ?? '').split(',').map((text) => text.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(tag);
}
