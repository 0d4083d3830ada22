import type { Target } from '../../testbed/population.ts';
import type { Testbed } from '../../testbed/testbed.ts';
import type { Write } from '../host/push.ts';
import type { FigureName } from './figures.ts';

/** A server that the benchmark can start and measure. An adapter exports one, in at most 100 lines. */
export interface Peer {
  /** Names its file in docs/results/peers. */
  readonly entry: string;
  readonly name: string;
  /** A reference answers with constants, and shows what the machine can do. */
  readonly role: 'ours' | 'reference' | 'peer';
  /** How somebody else gets the same program. */
  readonly build: string;
  /** What a reader must know to read its figures right. */
  readonly settings: readonly string[];
  /** Figures that it cannot give, and why. */
  readonly blank: Readonly<Partial<Record<FigureName, string>>>;
  /** Why it cannot be measured on this machine; undefined when it can. */
  readonly missing?: () => string | undefined;
  /** Starts it on the server's core, with 5 or 300 flags, and waits until it answers. */
  readonly start: (testbed: Testbed, flags: number) => Promise<PeerServer>;
}

/** One run of a peer. */
export interface PeerServer {
  readonly version: string;
  /** Its process on this machine. With NaN, processor and memory are not measured. */
  readonly pid: number;
  readonly stop: () => Promise<unknown>;
  readonly target: Target;
  /** How clients get flags and changes: as FeatBit's SDKs do, or by asking for all flags again. */
  readonly client: { readonly kind: 'featbit' } | { readonly kind: 'polling'; readonly seconds: number };
  /** Evaluate one flag, and all of them, for one user. */
  readonly one: HttpRequest;
  readonly all: HttpRequest;
  /** How many flags the answer for all must hold, and how many an answer holds. */
  readonly expected: number;
  readonly countFlags: (answer: unknown) => number;
  /** Changes a flag. Without it, changes are not measured. */
  readonly change?: (() => Promise<Write>) | undefined;
}

/** A request with a JSON body. */
export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Sends a request once. @throws Error unless it is answered with 200 */
export async function askOnce({ target }: PeerServer, { path, headers, body }: HttpRequest): Promise<Response> {
  const [{ host, port }] = target.addresses as [Target['addresses'][number]];
  const sent = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) };
  const response = await fetch(`http://${host}:${port}${path}`, sent);
  if (response.status !== 200) throw new Error(`${path} is answered with ${response.status}: ${await response.text()}`);
  return response;
}

/** A request as it goes over the wire. */
export function requestText({ path, headers, body }: HttpRequest, more: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify(body);
  const all = { host: 'localhost', ...JSON_TYPE, ...headers, ...more, 'content-length': Buffer.byteLength(text) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}

const JSON_TYPE = { 'content-type': 'application/json' };
