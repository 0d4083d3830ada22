import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PAGE_PATH } from '../../console/api.ts';
import { pathOf } from '../emulator/listen.ts';

/** Path of the page that shows a flag. */
export const TRY_PATH = '/try';

/** Which page of `npm start` a request is for. Undefined for requests of SDKs. */
export function ownPageOf(request: IncomingMessage): 'console' | 'try' | undefined {
  const path = pathOf(request);
  if (path.startsWith(PAGE_PATH) || path === PAGE_PATH.slice(0, -1) || isBrowserAt(path, request)) return 'console';
  if (path === TRY_PATH || path.startsWith(`${TRY_PATH}/`)) return 'try';
  return undefined;
}

/** Checks whether a browser opens the bare address. SDKs do not request HTML. */
function isBrowserAt(path: string, { method, headers }: IncomingMessage): boolean {
  return path === '/' && method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');
}

/** Permissions of a page besides its own scripts and styles. */
interface Allowed {
  /** Sources of further scripts. */
  readonly scripts?: readonly string[];
  /** Allowed connections. */
  readonly connect: readonly string[];
}

/** Sends a page. Browsers run only the scripts and styles that are written in it, and what `allowed` names. */
export function sendPage(response: ServerResponse, status: number, html: string, allowed: Allowed): void {
  const { scripts = [], connect } = allowed;
  const policy = [
    "default-src 'none'",
    `script-src ${[...hashesOf(html, 'script'), ...scripts].join(' ')}`,
    `style-src ${hashesOf(html, 'style').join(' ')}`,
    "img-src 'self' data:",
    `connect-src ${connect.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  });
  response.end(html);
}

/** Hashes of a page's scripts or styles. A script of another type is data, and needs no hash. */
function hashesOf(html: string, element: 'script' | 'style'): string[] {
  const elements = html.matchAll(new RegExp(`<${element}(?: type="module")?>(.*?)</${element}>`, 'gs'));
  return Array.from(elements, ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
