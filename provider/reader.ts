import type { Effects } from '../shared/runtime/effects.ts';
import type { Credentials } from '../shared/runtime/signature.ts';
import { DocumentReader } from '../shared/store/documents/documents.ts';
import { observe } from '../shared/store/snapshots/consistentRead.ts';
import { isAtVersion, type ReaderState, type ReadStep, readStep } from '../shared/store/snapshots/readStep.ts';
import { DirectTable } from '../shared/store/table/directTable.ts';
import type { ReadTable, TableRequests } from '../shared/store/table/tableRequests.ts';
import type { TableSettings } from './settings.ts';

/** Timeout of a response, in milliseconds. A read is sent twice at most, so it ends within the time of a start. */
const REQUEST_TIMEOUT_MS = 1_400;

/** Opens a table without the AWS SDK. */
export function openTable(
  { id, name, region, endpoint }: TableSettings,
  keys: () => Promise<Credentials>,
  effects: Effects,
  client?: TableRequests,
): ReadTable {
  const target = { service: 'dynamodb', endpoint, region, keys, idleSockets: 1 };
  return { client: client ?? new DirectTable(id, target, REQUEST_TIMEOUT_MS, effects), name, effects };
}

/**
 * Reads an environment at its current version.
 *
 * @param from what the reader has
 * @returns what the reader lacks; undefined if it has that version
 * @throws {NotFound} if the environment does not exist
 * @throws {Error} if the environment changed during each of several attempts
 */
export async function readEnvironment(
  table: ReadTable,
  envId: string,
  from: ReaderState | undefined,
): Promise<ReadStep | undefined> {
  const { effects } = table;
  const documents = new DocumentReader(table);
  // Asked for at the same time as the version: the first read of a process is on the way of an invocation.
  const snapshot = from ? undefined : documents.snapshot(envId);
  snapshot?.catch(() => {});
  const observation = observe(effects, await documents.version(envId), from?.observation);
  if (from && isAtVersion(effects, from, observation)) return undefined;
  const step = await readStep({ documents, effects }, envId, observation, from, snapshot);
  if (!step.isWhole) throw new Error('the environment changes too often to read all of it at one version');
  return step;
}
