import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Document } from '../../../shared/flags/document.ts';
import { parseFlag } from '../../../shared/flags/flag.ts';
import { formatProblem, type ParseResult } from '../../../shared/flags/problem.ts';
import { parseSegment } from '../../../shared/flags/segment.ts';
import { findLoopback } from '../../machine/loopback.ts';
import { preflight } from '../../runner/preflight.ts';
import type { Address } from '../../testbed/sdkSocket.ts';

/** How long a restarted server may take until it answers. */
const RESTART_MS = 60_000;

/** Reads a streaming address. @throws Error for one that the generator cannot speak to, saying what it takes */
export function readAddress(text: string): Address & { readonly url: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'ws:')
    throw new Error(`${text} is no ws:// address: the generator speaks no TLS. Give the server's own port.`);
  if (!/^\/(streaming\/?)?$/.test(url.pathname))
    throw new Error(`${text} has a path, and connections go to /streaming: leave it out.`);
  const port = Number(url.port || 80);
  return { host: url.hostname, port, url: `ws://${url.hostname}:${port}` };
}

/** Where connections go in turn: all loopback addresses at which the server answers, or its only address. */
export async function listAddresses({ host, port }: Address): Promise<Address[]> {
  const isLocal = host === 'localhost' || host.startsWith('127.');
  const found = isLocal ? await findLoopback(port) : [];
  return (found.length > 0 ? found : [host]).map((each) => ({ host: each, port }));
}

/** How many flags the server's answers hold for a client. @throws {NotReady} when it does not answer */
export async function countFlags(url: string, clientSecret: string): Promise<number> {
  return JSON.parse(await preflight(url, clientSecret)).data?.featureFlags?.length ?? 0;
}

/** All documents that the server sends to a server-side SDK. @throws Error when a document cannot be read; {NotReady} when it does not answer */
export async function fetchDocuments(url: string, serverSecret: string): Promise<Document[]> {
  const { data = {} } = JSON.parse(await preflight(url, serverSecret, Date.now, 'server'));
  const { featureFlags = [], segments = [] } = data;
  return [
    ...segments.map((each: unknown): Document => ({ kind: 'segment', document: read(parseSegment(each)) })),
    ...featureFlags.map((each: unknown): Document => ({ kind: 'flag', document: read(parseFlag(each)) })),
  ];
}

function read<T>(result: ParseResult<T>): T {
  if (result.ok) return result.value;
  throw new Error(
    `the other server has a document that cannot be read: ${result.problems.map(formatProblem).join('; ')}`,
  );
}

/**
 * Restarts the server by a shell command, and waits until it answers.
 *
 * @returns its process, when the command's last line is a number
 * @throws Error when the command fails, {NotReady} when the server does not answer in a minute
 */
export async function restart(command: string, url: string, clientSecret: string): Promise<number | undefined> {
  const { stdout } = await promisify(exec)(command, { timeout: RESTART_MS });
  const until = Date.now() + RESTART_MS;
  for (;;) {
    try {
      await preflight(url, clientSecret);
      return Number(/^(\d+)\s*$/.exec(stdout.trim().split('\n').at(-1) ?? '')?.[1]) || undefined;
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(200);
    }
  }
}

/** The cores that a process may run on, as the kernel lists them: `0` or `0-1`; undefined where there is no /proc. */
export function readCores(pid: number): string | undefined {
  try {
    return /Cpus_allowed_list:\s+(\S+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
