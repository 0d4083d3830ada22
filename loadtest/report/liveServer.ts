import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOwnAddress, isOwnName } from '../../shared/command/thisMachine.ts';
import { type Document, makeSection } from './document.ts';
import { renderHtml } from './write.ts';

/** Minimum time between two reports. Making one takes CPU time of the load generator. */
const EVERY_MS = 3_000;

/** Time limits of a request in milliseconds. Its client is on the same machine. */
const LIMITS = { headersTimeout: 5_000, requestTimeout: 15_000 };

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** The response to a poll of a page. */
export interface LiveState {
  readonly report: Document;
  /** The reason why there will be no newer report. Undefined while the campaign runs. */
  readonly over?: string;
}

/** A server for the report of a running campaign. */
export interface LiveReport {
  readonly url: string;
  /** Shows a last report to all open pages, with the reason, and closes. */
  readonly end: (last: Document | undefined, why: string) => Promise<void>;
}

/**
 * Serves a report to browsers on this machine, on a free port of its loopback. It makes reports only while a page is open.
 *
 * @param read makes the current report
 */
export async function serveLive(read: () => Document, everyMs = EVERY_MS): Promise<LiveReport> {
  let current: LiveState | undefined;
  let [madeAt, polledAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const state = (): LiveState => {
    const now = performance.now();
    if (current && (current.over !== undefined || now - madeAt < everyMs)) return current;
    madeAt = now;
    current = { report: readSafely(read) };
    return current;
  };
  const server = createServer(LIMITS, (request, response) => {
    const refusal = findRefusal(request);
    if (refusal) return answer(response, ...refusal);
    const path = request.url?.split('?')[0];
    if (path !== '/' && path !== '/state') return answer(response, 404, 'There is only one page here: /');
    polledAt = performance.now();
    if (path === '/state') return answer(response, 200, JSON.stringify(state()), 'application/json');
    return answer(response, 200, renderHtml(state().report, everyMs), 'text/html; charset=utf-8');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    end: async (last, over) => {
      current = { report: last ?? current?.report ?? readSafely(read), over };
      // An open page polls once more.
      if (performance.now() - polledAt < 2 * everyMs) await sleep(2 * everyMs);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Makes a report. A failure must not end the campaign. */
function readSafely(read: () => Document): Document {
  try {
    return read();
  } catch (error) {
    const notes = [`The report cannot be made just now: ${(error as Error).message}`];
    return { title: 'Flagwire under load', facts: [], sections: [makeSection('Nothing to show', { notes })] };
  }
}

/** Refuses requests from other machines, to other names, and from pages of other sites. */
function findRefusal({ method, headers, socket }: IncomingMessage): [status: number, text: string] | undefined {
  if (!isOwnAddress(socket.remoteAddress) || !isOwnName(headers.host))
    return [403, 'The report is at http://127.0.0.1, and answers to no other name.'];
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  if (!isOwn && headers['sec-fetch-mode'] !== 'navigate') return [403, 'The report is for no other page.'];
  return method === 'GET' ? undefined : [405, 'The report is only read: GET.'];
}

function answer(response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void {
  response.writeHead(status, { ...HEADERS, 'content-type': type }).end(text);
}
