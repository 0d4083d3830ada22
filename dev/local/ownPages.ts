import type { IncomingMessage } from 'node:http';
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
