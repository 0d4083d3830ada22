import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isOwnAddress, isOwnName } from '../../shared/command/thisMachine.ts';
import { type Document, makeSection } from './document.ts';
import { renderHtml } from './write.ts';

/** How often a report that somebody looks at is made anew: it takes time of the generator's core. */
const EVERY_MS = 3_000;

/** Pages that follow at a time. */
const MOST_FOLLOWERS = 16;

/** How long the server waits for slow pages when it closes. */
const CLOSE_TIMEOUT_MS = 5_000;

/** How long a request may take to arrive, in milliseconds: its clients are on the same machine. */
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

/** A report that is served while it grows. */
export interface LiveReport {
  readonly url: string;
  /** Shows a last report to every page that follows, tells why there will be no other, and closes. */
  readonly end: (last: Document | undefined, why: string) => Promise<void>;
}

/**
 * Serves a report to browsers of this machine, on a free port of its loopback. Nothing is made while nobody looks.
 *
 * @param read makes the report as it is now
 */
export async function serveLive(read: () => Document, everyMs = EVERY_MS): Promise<LiveReport> {
  const followers = new Set<ServerResponse>();
  // A report that cannot be made must not end the campaign that it is of.
  const current = () => {
    try {
      return read();
    } catch (error) {
      return unreadable(error as Error);
    }
  };
  const server = createServer(LIMITS, (request, response) => {
    const refusal = findRefusal(request);
    if (refusal) return answer(response, ...refusal);
    const path = request.url?.split('?')[0];
    if (path === '/') return answer(response, 200, renderHtml(current(), { isLive: true }), 'text/html; charset=utf-8');
    if (path !== '/events') return answer(response, 404, 'There is only one page here: /');
    if (followers.size >= MOST_FOLLOWERS)
      return answer(response, 503, `${MOST_FOLLOWERS} pages follow already: close one.`);
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    response.flushHeaders();
    followers.add(response);
    response.on('close', () => followers.delete(response));
  });
  const show = (last: Document) => {
    const text = formatEvent('report', last);
    // Whoever has not read the one before gets a later one.
    for (const follower of followers) if (!follower.writableNeedDrain) follower.write(text);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(() => {
    if (followers.size > 0) show(current());
  }, everyMs);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    end: async (last, why) => {
      clearInterval(timer);
      const ending = `${last ? formatEvent('report', last) : ''}${formatEvent('over', why)}`;
      const closing = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
      // A server that closes takes a connection for idle as soon as all is written, whether it was sent or not.
      await Promise.all(Array.from(followers, (follower) => sent(follower, ending)));
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(closing);
    },
  };
}

/** Ends a response with a text. @returns when all of it was sent, or nobody is there to read it */
function sent(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    response.on('close', resolve);
    response.end(text);
  });
}

function unreadable({ message }: Error): Document {
  const notes = [`The report cannot be made just now: ${message}`];
  return { title: 'Flagwire under load', facts: [], sections: [makeSection('Nothing to show', { notes })] };
}

/** Why a request is not answered: it is not of this machine, not by its name, or from a page of another site. */
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

function formatEvent(event: string, value: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;
}
