import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

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
