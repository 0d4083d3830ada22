import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context as HonoContext } from 'hono';
import type { Context } from '../api.ts';
import type { BuiltPage } from '../page/build.ts';

interface ServedFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly isNamedByHash: boolean;
}

/** Serves a page's files. Compresses them once. */
export class PageFiles {
  readonly #files: ReadonlyMap<string, ServedFile>;

  constructor({ html, assets }: BuiltPage) {
    this.#files = new Map([
      ['', served('text/html; charset=utf-8', Buffer.from(html), false)],
      ...[...assets].map(([name, { type, body }]) => [name, served(type, body, true)] as const),
    ]);
  }

  /** @param name of a file. Empty for the page */
  answer(context: HonoContext, name: string): Response {
    const file = this.#files.get(name);
    if (!file) return context.text('There is no such file.', 404);
    const { type, body, gzip, etag, isNamedByHash } = file;
    context.header('ETag', etag);
    context.header('Cache-Control', isNamedByHash ? 'private, max-age=31536000, immutable' : 'no-cache');
    context.header('Vary', 'Accept-Encoding');
    if (context.req.header('if-none-match') === etag) return context.body(null, 304);
    context.header('Content-Type', type);
    if (!/\bgzip\b/.test(context.req.header('accept-encoding') ?? '')) return context.body(body);
    context.header('Content-Encoding', 'gzip');
    return context.body(gzip);
  }
}

/**
 * Security headers of the page: only its own files, nothing inline, no frames. It may connect to the addresses of
 * SDKs, because it runs one.
 */
export function pageHeaders({ streamingUrl, httpUrl }: Pick<Context, 'streamingUrl' | 'httpUrl'>) {
  const connect = ["'self'", streamingUrl, httpUrl].filter((each) => each !== undefined).join(' ');
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      `connect-src ${connect}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ].join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

function served(type: string, content: Uint8Array, isNamedByHash: boolean): ServedFile {
  const body = Uint8Array.from(content);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type, body, gzip: Uint8Array.from(gzipSync(body)), etag, isNamedByHash };
}
