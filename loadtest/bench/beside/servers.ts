import { hasTaskset } from '../../../dev/support/cores.ts';
import { addEnvironment } from '../../machine/flagFlips.ts';
import { SERVER_CORE } from '../../machine/pinned.ts';
import type { ServerName, Testbed } from '../../testbed/testbed.ts';
import { type Load, measureServer, type PhaseResult } from './measureServer.ts';
import { countFlags, fetchDocuments, listAddresses, readAddress, readCores, restart } from './other.ts';

/** A server that the rounds measure. */
export interface Server {
  readonly name: string;
  /** Notes that a reader needs to interpret the figures. */
  readonly notes: readonly string[];
  readonly measure: (load: Load, round: number) => Promise<PhaseResult[]>;
}

/** The other server, from the command line. */
export interface OtherOptions {
  readonly clientSecret: string;
  readonly pid?: number;
  readonly restart?: string;
}

/** Connects to a server that already runs. @throws Error if it does not respond */
export async function openOther(url: string, options: OtherOptions): Promise<Server & { flags: number }> {
  const address = readAddress(url);
  const { clientSecret: key, restart: command } = options;
  const flags = await countFlags(address.url, key);
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

/** Our host, which restarts for each round. @param copied the environment to serve instead of the benchmark's */
export function openOurs(testbed: Testbed, name: ServerName, copied?: { key: string; flags: number }): Server {
  return {
    name: name === 'host' ? 'Flagwire, host on Bun' : 'Flagwire, host on Node',
    notes: hasTaskset() ? [] : ['UNEQUAL: there is no taskset here, so nothing was held to a core.'],
    measure: (load) =>
      testbed.withServer(name, ({ process: { pid }, target }) =>
        measureServer({ ...target, ...copied }, pid, load, true),
      ),
  };
}

/**
 * Copies the flags of the other server to a new environment of our host.
 *
 * @returns the client secret of the environment, and the number of flags in its replies
 */
export async function copyFlags(
  testbed: Testbed,
  url: string,
  serverSecret: string,
): Promise<{ key: string; flags: number }> {
  const documents = await fetchDocuments(readAddress(url).url, serverSecret);
  const key = await addEnvironment(testbed.table, `beside-${Date.now()}`, documents);
  const flags = documents.filter(({ kind, document }) => kind === 'flag' && !document.isArchived).length;
  return { key, flags };
}
