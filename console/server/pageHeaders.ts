import type { Context } from '../api.ts';

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
