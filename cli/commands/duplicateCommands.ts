import { type Command, Option } from 'commander';
import { byKind } from '../../shared/flags/document.ts';
import { duplicateFlag, duplicateSegment } from '../../shared/flags/edits/duplicate.ts';
import { findSegment, requireFreeName } from '../../shared/flags/edits/segmentEdits.ts';
import { Conflict } from '../../shared/store/table/errors.ts';
import { reportChanges } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { editFlag, findFlag, segmentIds } from '../editDocuments.ts';
import { CliError } from '../io.ts';
import { write } from '../write.ts';

/** `duplicate` and `segment duplicate`. */
export function addDuplicateCommands(program: Command, segment: Command, commands: CommandMaker): void {
  commands.change<{ name?: string }>(
    program,
    'duplicate <flag> <new-key>',
    'create a flag with the same settings and on/off state as another. Its percentages select other users, because they depend on the key',
    async (session, [from = '', key = ''], { name = key }) => {
      const original = await findFlag(session, from);
      if (original.isArchived) throw new CliError(`flag "${from}" is archived; first: restore ${from}`);
      const written = await editFlag(session, key, (flag) => {
        if (flag) throw new Conflict(`flag "${key}" exists already${flag.isArchived ? ', and is archived' : ''}`);
        return duplicateFlag(original, session.store.effects.uuid, { key, name });
      });
      const state = original.isEnabled ? 'on' : 'off';
      reportChanges(session, written, `created flag "${key}" (${state}) from "${from}"`);
    },
    [new Option('--name <name>', 'display name (default: the new key)')],
  );

  commands.change(
    segment,
    'duplicate <segment> <new-name>',
    'create a segment with the users and rules of another',
    async (session, [from = '', name = '']) => {
      const originalId = (await segmentIds(session))(from);
      const id = session.store.effects.uuid();
      const written = await write(session, (envId) =>
        session.store.documents.writeSegment(envId, id, (_, all) => {
          const { segments } = byKind(all);
          requireFreeName(segments, id, name);
          return duplicateSegment(findSegment(segments, originalId), () => id, name);
        }),
      );
      reportChanges(
        session,
        written,
        `created segment "${name}"${session.isVerbose ? ` with id ${id}` : ''} from "${from}"`,
      );
    },
  );
}
