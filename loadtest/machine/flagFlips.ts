import { readAnnouncement } from '../../shared/runtime/announcement.ts';
import { type Effects, systemEffects } from '../../shared/runtime/effects.ts';
import { type FlagStore, openStore } from '../../shared/store/store.ts';
import { followAnnouncement } from '../../shared/store/table/announcedTable.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import type { Flip } from '../results/runFiles.ts';
import type { TableAccess } from './emulatorProcess.ts';

/** A flags table, and when it answered the last request of the last write: the writer returns 100 ms later (record 37). */
interface MeasuredTable extends FlagStore {
  readonly lastAnswer: { readonly at: number };
}

const now = () => performance.timeOrigin + performance.now();

/** Opens a flags table, for this process and those that it starts. */
export function openTable({ name, environment, announcedIn }: TableAccess): MeasuredTable {
  // The SDK's client reads region, credentials and endpoint there.
  Object.assign(process.env, environment);
  const announcement = announcedIn === undefined ? undefined : readAnnouncement(announcedIn);
  const client =
    announcedIn !== undefined && announcement ? followAnnouncement(announcedIn, announcement) : createDynamoDb();
  const lastAnswer = { at: 0 };
  const elapse: Effects['elapse'] = (ms) => {
    lastAnswer.at = now();
    return systemEffects.elapse(ms);
  };
  return { ...openStore({ client, flags: name }, { ...systemEffects, elapse }), lastAnswer };
}

/** Turns a flag on or off, whichever it is not. @throws Error when there is no such flag, or no table */
export async function flipFlag(
  { documents, lastAnswer }: Pick<MeasuredTable, 'documents' | 'lastAnswer'>,
  envId: string,
  flag: string,
): Promise<Flip> {
  const beganAt = now();
  const [stored] = await documents.writeFlag(envId, flag, (current) => {
    if (!current) throw new Error(`there is no flag ${flag} to flip: give --flag.`);
    return { ...current, isEnabled: !current.isEnabled };
  });
  return { version: stored?.updatedAt ?? 0, beganAt, acknowledgedAt: lastAnswer.at };
}
