import { type Command, Option } from 'commander';
import { userPath } from '../../shared/command/userPath.ts';
import { excluding, including, leavingToRules } from '../../shared/flags/segmentEdits.ts';
import { readUserKeys, userKeysToRemove } from '../../shared/flags/userKeys.ts';
import { reportChanges } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { counted } from '../counted.ts';
import { editActiveSegment } from '../editSegment.ts';
import { readText } from '../import/jsonFile.ts';
import { CliError, UsageError } from '../io.ts';
import type { Session } from '../session.ts';

/** Maximum number of users named in a result. */
const NAMED = 5;

const MEMBERSHIPS = [
  ['include', 'include users, by user key (keyId)', 'includes', including, readUserKeys],
  ['exclude', 'exclude users, by user key (keyId)', 'excludes', excluding, readUserKeys],
  [
    'remove',
    'remove users from both lists, so that the rules of the segment apply to them',
    'does not list',
    leavingToRules,
    userKeysToRemove,
  ],
] as const;

/** `segment include|exclude|remove`: users by user key, as arguments or from a file. */
export function addMemberCommands(segment: Command, commands: CommandMaker): void {
  for (const [name, description, state, change, read] of MEMBERSHIPS) {
    commands.edit<{ file?: string }>(
      segment,
      `${name} <segment> [userKeys...]`,
      description,
      async (session, [named = '', ...given], { file }) => {
        const keyIds = read([...given, ...(file === undefined ? [] : readKeyIds(session, file))]);
        if (keyIds.length === 0) throw new UsageError('add user keys, or a file with one on each line: --file <file>');
        const written = await editActiveSegment(session, named, (current) => change(current, keyIds));
        const who = keyIds.length > NAMED ? `${keyIds.length} users` : keyIds.join(', ');
        reportChanges(session, written, `segment "${named}" ${state} ${who}`);
      },
      [new Option('--file <file>', 'file with one user key on each line').argParser(userPath)],
    );
  }
}

/** @throws {CliError} for a line with a quote or a control character: the file has another format */
function readKeyIds(session: Session, path: string): string[] {
  const lines = readText(path)
    .split(/\r?\n/)
    .map((line) => line.trim());
  const keys = lines.filter((line) => line !== '');
  const csv = keys.filter((line) => /[,;\t]/.test(line)).length;
  const likeCsv = `${csv} of ${counted(keys.length, 'line')} ${csv === 1 ? 'looks' : 'look'} like CSV`;
  const invalid = lines.findIndex((line) => /["\p{Cc}]/u.test(line));
  if (invalid >= 0) {
    const found = `${path}: line ${invalid + 1} has a quote or a control character`;
    throw new CliError(`${found}${csv > 0 ? `, and ${likeCsv}` : ''}. Write one user key on each line`);
  }
  if (csv > 0) session.note(`warning: ${path}: ${likeCsv}. A whole line is a user key`);
  return keys;
}
