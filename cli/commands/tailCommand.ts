import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { onStop } from '../../shared/command/stopOnSignals.ts';
import type { CommandMaker } from '../command.ts';
import { readSegmentNames } from '../editDocuments.ts';
import type { Session } from '../session.ts';
import { changeJson, entryLines, type ShownChange, shownDocument } from './historyCommands.ts';

/** Time between two reads of the history, which take one read unit each. */
const EVERY_MS = 1_000;

/** `tail`: changes as they happen. */
export function addTailCommand(program: Command, commands: CommandMaker): void {
  commands.add<{ by?: string }>(
    program,
    'tail [id]',
    'show changes as they happen, until Ctrl-C. Name a flag (by key) or segment (by id) to see only its changes',
    async (session, [id], { by }) => {
      const ended = new AbortController();
      onStop(() => ended.abort());
      session.progress(`waiting for changes in ${(await session.environment()).name}; Ctrl-C ends this`);
      await followChanges(session, { id, by, since: await newestVersion(session) }, ended.signal);
    },
    [new Option('--by <text>', 'only changes by authors whose names contain this text')],
  );
}

/** The version of the last change. 0 without changes. */
export async function newestVersion(session: Session): Promise<number> {
  const { id } = await session.environment();
  for await (const { version } of session.store.history.changes(id)) return version;
  return 0;
}

/** The changes to show: those after a version, and of a document or an author if they are named. */
interface Followed {
  readonly id: string | undefined;
  readonly by: string | undefined;
  readonly since: number;
}

/** Writes each new change, oldest first, until it is stopped. */
export async function followChanges(
  session: Session,
  { id, by = '', since }: Followed,
  signal: AbortSignal,
): Promise<void> {
  const environment = await session.environment();
  for (let last = since; !signal.aborted; await pause(EVERY_MS, undefined, { signal }).catch(() => {})) {
    const found: ShownChange[] = [];
    let newest = last;
    for await (const { documents, ...entry } of session.store.history.changes(environment.id)) {
      if (entry.version <= last) break;
      newest = Math.max(newest, entry.version);
      const shown = documents.filter((document) => id === undefined || document.id === id).map(shownDocument);
      if (shown.length > 0 && entry.by.includes(by)) found.unshift({ ...entry, documents: shown });
    }
    last = newest;
    if (found.length > 0) {
      const segmentName = await readSegmentNames(session);
      for (const change of found) session.event(changeJson(change), entryLines(change, segmentName));
    }
  }
}
