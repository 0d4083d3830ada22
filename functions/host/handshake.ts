import { hash } from 'node:crypto';

/** What is appended to a client's key (RFC 6455, section 1.3). */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Node's own limit of a request's head. */
const HEAD_LIMIT_BYTES = 16 * 1024;

const END = '\r\n\r\n';
const REQUEST_LINE = /^GET (\/[!-~]*) HTTP\/1\.1$/;
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*$/;
const KEY = /^[+/0-9A-Za-z]{22}==$/;

/** A request for a WebSocket as every client of ours writes it. */
export interface PlainHandshake {
  /** Path and query. */
  readonly target: string;
  readonly key: string;
  /** How many bytes it took; what follows are frames. */
  readonly bytes: number;
}

/**
 * Reads a request for a WebSocket that came in one piece and has nothing unusual in it.
 *
 * @returns undefined for everything else, which is not thereby wrong: it is for a complete HTTP server to tell
 */
export function readPlainHandshake(bytes: Buffer): PlainHandshake | undefined {
  const end = bytes.indexOf(END);
  if (end < 0 || end > HEAD_LIMIT_BYTES) return undefined;
  const [requestLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const target = REQUEST_LINE.exec(requestLine)?.[1];
  if (target === undefined) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = HEADER.exec(line) ?? [];
    const lower = name.toLowerCase();
    if (name === '' || isUnusual(lower) || headers.has(lower)) return undefined;
    headers.set(lower, value);
  }
  const key = headers.get('sec-websocket-key') ?? '';
  const isPlain =
    headers.has('host') &&
    headers.get('upgrade')?.toLowerCase() === 'websocket' &&
    /(^|[ ,])upgrade($|[ ,])/i.test(headers.get('connection') ?? '') &&
    headers.get('sec-websocket-version') === '13' &&
    KEY.test(key);
  return isPlain ? { target, key, bytes: end + END.length } : undefined;
}

/** Headers that change what follows, or that must be answered. */
function isUnusual(name: string): boolean {
  return (
    name === 'content-length' || name === 'transfer-encoding' || name === 'expect' || name === 'sec-websocket-protocol'
  );
}

/** What lets a client in. */
export function acceptance(key: string): string {
  const accept = hash('sha1', key + GUID, 'base64');
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}${END}`;
}
