import type { Command } from 'commander';
import { problemOfEnd } from '../../shared/evaluation/references.ts';
import { asDeleted } from '../../shared/flags/deletion.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { changesJson, reportFlags, undoHint } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { editSegment, noFlag } from '../editDocuments.ts';
import { CliError } from '../io.ts';
import { noteEnding } from '../noteEnding.ts';
import type { Session } from '../session.ts';
import { write } from '../write.ts';

/** `delete` and `segment delete`. */
export function addDeleteCommands(program: Command, segment: Command, commands: CommandMaker): void {
  commands.edit(
    program,
    'delete <flags...>',
    'delete flags and end their plans. SDKs receive them as archived. Lists hide them, and their keys can be used again. To bring them back, use undo',
    deleteFlags,
  );

  commands.edit(
    segment,
    'delete <segment>',
    'delete a segment that no flag uses. Its name can be used again. To bring it back, use undo',
    async (session, [named = '']) => {
      const written = await editSegment(session, named, (current, all) => {
        const problem = problemOfEnd(current.id, 'deleted', all);
        if (problem) throw new CliError(`segment "${named}" ${problem}`);
        return asDeleted(current);
      });
      reportDeletion(session, written, `segment "${named}"`);
    },
  );
}

async function deleteFlags(session: Session, keys: readonly string[]): Promise<void> {
  // Read before the first write. A document that is deleted later was deleted by this command, or by another writer
  // meanwhile.
  const flags = new Map((await session.documents<Flag>('flag', 'with deleted')).map((flag) => [flag.key, flag]));
  for (const key of keys) {
    const flag = flags.get(key);
    if (!flag || flag.isDeleted) throw noFlag(key, flag);
  }
  await noteEnding(session, keys);
  const written = await write(session, (envId) =>
    session.store.documents.writeAll(envId, (all) =>
      all.flatMap((each) =>
        each.kind === 'flag' && keys.includes(each.document.key) && !each.document.isDeleted
          ? [{ kind: 'flag', document: asDeleted(each.document) }]
          : [],
      ),
    ),
  );
  reportDeletion(session, written, keys.map((key) => `flag "${key}"`).join(', '));
}

function reportDeletion(session: Session, written: readonly StoredDocument[], what: string): void {
  if (session.schedule) {
    const keys = written.map(({ id }) => id);
    reportFlags(session, keys, written, (key) => (written.length > 1 ? `deleted flag "${key}"` : `deleted ${what}`));
    return;
  }
  const changes = changesJson(written);
  const way = changes.length > 0 ? `; to bring back what was deleted: ${undoHint(session, written)}` : '';
  session.result({ changes }, `✓ deleted ${what}${session.where(written.at(-1)?.updatedAt)}${way}`);
}
