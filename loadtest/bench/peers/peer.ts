import { execFileSync } from 'node:child_process';
import type { RunInfo } from '../../../dev/support/runInfo.ts';
import { programOf, type Runtime } from '../../../infra/hostRuntime.ts';
import type { EmulatorProcess } from '../../machine/emulatorProcess.ts';
import type { Flip } from '../../results/runFiles.ts';
import type { Target } from '../../testbed/population.ts';
import type { Figures } from './figures.ts';

/** A server that the benchmark can start and measure. Each adapter exports one, in at most 100 lines. */
export interface Peer {
  /** The name of its file in docs/results/peers. */
  readonly entry: string;
  readonly name: string;
  /** A reference sends constant responses, and shows the limits of the machine. */
  readonly role: 'ours' | 'reference' | 'peer';
  /** The reason why it cannot be measured on this machine. Undefined if it can. */
  readonly missing?: () => string | undefined;
  /** Starts it on the core of the server, with 5 or 300 flags, and waits until it is ready. Ours reads the table of the emulator. */
  readonly start: (emulator: EmulatorProcess, flags: number) => Promise<PeerServer>;
}

/** The file of an entry. */
export interface Entry extends Pick<Peer, 'entry' | 'name' | 'role'> {
  readonly version: string;
  readonly stamp: RunInfo;
  readonly figures: Figures;
  /** Failed or invalid runs, with reasons. */
  readonly failed: readonly string[];
}

/** One run of a peer. */
export interface PeerServer {
  readonly version: string;
  /** Its process on this machine. With NaN, CPU and memory are not measured. */
  readonly pid: number;
  readonly stop: () => Promise<unknown>;
  readonly target: Target;
  /** The kind of clients: FeatBit's SDKs, or clients that poll all flags. */
  readonly client: { readonly kind: 'featbit' } | { readonly kind: 'polling'; readonly seconds: number };
  /** Requests that evaluate one flag, and all flags, for {@link USER}. */
  readonly one: HttpRequest;
  readonly all: HttpRequest;
  /** The flags that are true in a response for all flags. */
  readonly readTrue: (answer: unknown) => readonly string[];
  /** Changes a flag. If missing, changes are not measured. */
  readonly change?: (() => Promise<Flip>) | undefined;
}

/** A request with a JSON body. */
export interface HttpRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Sends a request once. @throws Error if the status is not 200 */
export async function askOnce({ target }: PeerServer, { path, headers, body }: HttpRequest): Promise<Response> {
  const [{ host, port }] = target.addresses as [Target['addresses'][number]];
  const sent = { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) };
  const response = await fetch(`http://${host}:${port}${path}`, sent);
  if (response.status !== 200) throw new Error(`${path} is answered with ${response.status}: ${await response.text()}`);
  return response;
}

/** The text of an HTTP request. */
export function requestText({ path, headers, body }: HttpRequest, more: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify(body);
  const all = { host: 'localhost', ...JSON_TYPE, ...headers, ...more, 'content-length': Buffer.byteLength(text) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}

/** The user in requests. The load generator replaces it, so that each request has a new user. */
export const USER = 'user-of-request';
/** The flag that is evaluated alone. */
export const ONE_FLAG = 'flag-1';

/** The flags of all servers. @param make makes one that is true for all users, or for this percentage of them */
export function makeFlags<T>(count: number, make: (name: string, percent: 50 | 100) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(`flag-${n}`, n % 2 === 0 ? 100 : 50));
}

/** OFREP's requests. */
export function ofrepRequests(headers: HttpRequest['headers'] = {}) {
  const all = { path: '/ofrep/v1/evaluate/flags', headers, body: { context: { targetingKey: USER } } };
  const readTrue = (answer: unknown) =>
    (answer as OfrepAnswer).flags.filter(({ value }) => value === true).map(({ key }) => key);
  return { all, one: { ...all, path: `${all.path}/${ONE_FLAG}` }, readTrue };
}

interface OfrepAnswer {
  readonly flags: readonly { readonly key: string; readonly value: unknown }[];
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** A runtime with its version, such as `Bun 1.4.5`. */
export function describeRuntime(runtime: Runtime): string {
  const version = execFileSync(programOf(runtime), ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
  return `${runtime === 'bun' ? 'Bun' : 'Node'} ${version}`;
}
