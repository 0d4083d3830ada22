import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type Flag, parseFlag } from '../../shared/flags/flag.ts';
import { formatProblem, type ParseResult } from '../../shared/flags/problem.ts';
import { parseSegment, type Segment } from '../../shared/flags/segment.ts';
import { encodeToken } from '../../shared/protocol/token.ts';
import type { Settings } from '../scenarios/settings.ts';
import type { Target } from './target.ts';

const ANSWER_TIMEOUT_MS = 10_000;

/** The flags and segments that a server sends to server-side SDKs. */
interface ServerData {
  readonly featureFlags?: readonly unknown[];
  readonly segments?: readonly unknown[];
}

/** The target is not ready for load; the message says why, and what to do. */
export class NotReady extends Error {
  override name = 'NotReady';
}

/**
 * Opens one connection like the load's, to report a problem once instead of for each connection.
 *
 * @param url base of the streaming address
 * @param now clock for tokens
 * @returns the first answer
 * @throws {NotReady} if the target is down, refuses the key, or has a different clock
 */
export async function preflight(url: string, secret: string, now = Date.now): Promise<string> {
  const socket = new WebSocket(`${url}/streaming?type=client&token=${encodeToken(secret, now(), 7)}`, {
    handshakeTimeout: ANSWER_TIMEOUT_MS,
  });
  const user = { keyId: 'load-preflight', name: 'load-preflight', customizedProperties: [] };
  socket.on('open', () => socket.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0, user } })));
  try {
    const outcome = await Promise.race([
      once(socket, 'message').then(([data]) => ({ answer: String(data), problem: undefined })),
      once(socket, 'close').then(([code]) => ({ problem: `closed the connection with ${code}` })),
      new Promise<{ problem: string }>((resolve) =>
        setTimeout(resolve, ANSWER_TIMEOUT_MS, { problem: `did not answer in ${ANSWER_TIMEOUT_MS / 1_000} s` }).unref(),
      ),
    ]);
    if (outcome.problem !== undefined) throw new NotReady(`${url} ${outcome.problem}${adviceOn(outcome.problem)}`);
    return outcome.answer;
  } catch (error) {
    if (error instanceof NotReady) throw error;
    const { message, code } = error as NodeJS.ErrnoException;
    const what = message || code || 'an error without a message';
    throw new NotReady(`cannot connect to ${url}: ${what}${adviceOn(what)}`);
  } finally {
    socket.on('error', () => {});
    socket.terminate();
  }
}

function adviceOn(what: string): string {
  if (what.includes('ECONNREFUSED')) return '. Is the target running?';
  if (what.includes('ENOTFOUND')) return '. Check the URL.';
  if (/4003|401|403/.test(what)) {
    return '. The target refuses the key. Check the secret, and that this machine’s clock is correct within 30 s.';
  }
  return '';
}

/**
 * Fetches the flags and segments, to check answers.
 *
 * @throws {NotReady} if they cannot be fetched or parsed
 */
export async function fetchEnvironment({ http, serverKey }: Target): Promise<Settings['environment']> {
  if (http === undefined || serverKey === undefined) return undefined;
  const url = `${http}/api/public/sdk/server/latest-all?timestamp=0`;
  const response = await fetch(url, { headers: { authorization: serverKey } }).catch((error: Error) => {
    throw new NotReady(`cannot fetch ${url}: ${(error.cause as Error | undefined)?.message ?? error.message}`);
  });
  if (!response.ok) throw new NotReady(`${url} returned ${response.status}. Check --server-key.`);
  const { data } = (await response.json()) as { data?: ServerData };
  const { flags, segments } = parseDocuments(data, url);
  return { envId: flags[0]?.envId ?? '', flags, segments };
}

/** Parses flags and segments of FeatBit's protocol. @throws {NotReady} naming the origin if one cannot be parsed */
function parseDocuments(data: ServerData = {}, origin: string): { flags: Flag[]; segments: Segment[] } {
  const read = <T>(result: ParseResult<T>): T => {
    if (result.ok) return result.value;
    throw new NotReady(`cannot parse a document of ${origin}: ${result.problems.map(formatProblem).join('; ')}`);
  };
  const { featureFlags = [], segments = [] } = data;
  return {
    flags: featureFlags.map((each) => read(parseFlag(each))),
    segments: segments.map((each) => read(parseSegment(each))),
  };
}
