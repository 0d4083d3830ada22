import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Document } from '../../../shared/flags/document.ts';
import { findLoopback } from '../../machine/loopback.ts';
import { SERVER_CORE } from '../../machine/pinned.ts';
import { parseDocuments, preflight } from '../../runner/preflight.ts';
import type { Address } from '../../testbed/sdkSocket.ts';
import { measureServer, type Server } from './measureServer.ts';

/** Maximum time until a restarted server responds. */
const RESTART_MS = 60_000;

/** The other server, from the command line. */
export interface OtherOptions {
  readonly clientSecret: string;
  readonly pid?: number;
  readonly restart?: string;
}

/** Connects to a server that already runs. @throws Error if it does not respond */
export async function openOther(
  url: string,
  { clientSecret: key, restart: command, ...options }: OtherOptions,
): Promise<Server & { flags: number }> {
  const address = readAddress(url);
  const flags: number = JSON.parse(await preflight(address.url, key)).data?.featureFlags?.length ?? 0;
  let { pid } = options;
  return {
    name: address.url,
    flags,
    notes: [
      ...(pid === undefined
        ? ['NOT measured: processor and memory of the other server: give its --pid.']
        : coresNote(pid)),
      ...(command === undefined
        ? ['The other server did not restart: it was cold in the first round only, if it had just started.']
        : []),
    ],
    measure: async (load, round) => {
      if (command !== undefined) pid = (await restart(command, address.url, key)) ?? pid;
      const target = { addresses: await listAddresses(address), key, flags };
      return measureServer(target, pid, load, command !== undefined || round === 1);
    },
  };
}

function coresNote(pid: number): string[] {
  const cores = readCores(pid);
  if (cores === undefined)
    return ['NOT measured: processor and memory of the other server: it has no process of that --pid here.'];
  if (/^\d+$/.test(cores)) return [`The other server is held to core ${cores}.`];
  return [`UNEQUAL: the other server may use cores ${cores}, our host one: taskset -acp ${SERVER_CORE} ${pid}`];
}

/** Parses a streaming address. @throws Error for an address that the load generator does not support */
export function readAddress(text: string): Address & { readonly url: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'ws:')
    throw new Error(`${text} is no ws:// address: the generator speaks no TLS. Give the server's own port.`);
  if (!/^\/(streaming\/?)?$/.test(url.pathname))
    throw new Error(`${text} has a path, and connections go to /streaming: leave it out.`);
  const port = Number(url.port || 80);
  return { host: url.hostname, port, url: `ws://${url.hostname}:${port}` };
}

/** The addresses for connections: all loopback addresses on which the server listens, or its only address. */
export async function listAddresses({ host, port }: Address): Promise<Address[]> {
  const isLocal = host === 'localhost' || host.startsWith('127.');
  const found = isLocal ? await findLoopback(port) : [];
  return (found.length > 0 ? found : [host]).map((each) => ({ host: each, port }));
}

/** All flags and segments that the server sends to a server-side SDK. @throws Error if one cannot be parsed; {NotReady} if the server does not respond */
export async function fetchDocuments(url: string, serverSecret: string): Promise<Document[]> {
  const { data } = JSON.parse(await preflight(url, serverSecret, Date.now, 'server'));
  const { flags, segments } = parseDocuments(data, url);
  return [
    ...segments.map((document): Document => ({ kind: 'segment', document })),
    ...flags.map((document): Document => ({ kind: 'flag', document })),
  ];
}

/**
 * Restarts the server by a shell command, and waits until it responds.
 *
 * @returns its process id, if the last line of the command's output is a number
 * @throws Error if the command fails, {NotReady} if the server does not respond within a minute
 */
async function restart(command: string, url: string, clientSecret: string): Promise<number | undefined> {
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

/** The allowed cores of a process in the kernel's notation: `0` or `0-1`. Undefined without /proc. */
export function readCores(pid: number): string | undefined {
  try {
    return /Cpus_allowed_list:\s+(\S+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
