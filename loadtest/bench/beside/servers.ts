import { randomUUID } from 'node:crypto';
import { hasTaskset } from '../../../dev/support/cores.ts';
import { openTable } from '../../machine/flagFlips.ts';
import { SERVER_CORE } from '../../machine/pinned.ts';
import type { ServerName, Testbed } from '../../testbed/testbed.ts';
import { countFlags, fetchDocuments, listAddresses, readAddress, readCores, restart } from './other.ts';
import { type Load, type VisitResult, visit } from './visit.ts';

/** A server that rounds come back to. */
export interface Server {
  readonly name: string;
  /** What a reader must know to read its figures right. */
  readonly notes: readonly string[];
  readonly visit: (load: Load, round: number) => Promise<VisitResult[]>;
}

/** The other server, as the command line names it. */
export interface OtherOptions {
  readonly clientSecret: string;
  readonly pid?: number;
  readonly restart?: string;
}

/** A server that somebody else runs. @throws when it is not there */
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
        ? ['The other server was not started again: it was cold in the first round only, if it had just been started.']
        : []),
    ],
    visit: async (load, round) => {
      if (command !== undefined) pid = (await restart(command, address.url, key)) ?? pid;
      const target = { addresses: await listAddresses(address), key, flags };
      return visit({ target, pid }, load, command !== undefined || round === 1);
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

/** Our host, which starts afresh for each visit. @param copied the environment it serves, where that is not the benchmark's */
export function openOurs(testbed: Testbed, name: ServerName, copied?: { key: string; flags: number }): Server {
  return {
    name: name === 'host' ? 'Flagwire, host on Bun' : 'Flagwire, host on Node',
    notes: hasTaskset() ? [] : ['UNEQUAL: there is no taskset here, so nothing was held to a core.'],
    visit: (load) =>
      testbed.withServer(name, ({ process: { pid }, target }) =>
        visit({ target: { ...target, ...copied }, pid }, load, true),
      ),
  };
}

/**
 * Gives our host the flags of the other server, in an environment of its own.
 *
 * @returns the environment's client secret, and how many flags its answers hold
 */
export async function copyFlags(
  testbed: Testbed,
  url: string,
  serverSecret: string,
): Promise<{ key: string; flags: number }> {
  const documents = await fetchDocuments(readAddress(url).url, serverSecret);
  const store = openTable(testbed.table);
  try {
    const { environment, secrets } = await store.environments.create('beside', randomUUID());
    await store.documents.import(environment.id, documents);
    const key = secrets.find(({ record }) => record.type === 'client')?.value;
    if (key === undefined) throw new Error('the new environment has no client secret');
    const flags = documents.filter(({ kind, document }) => kind === 'flag' && !document.isArchived).length;
    return { key, flags };
  } finally {
    store.close();
  }
}
