import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { userPath } from '../shared/command/userPath.ts';
import { excluding, including, leavingToRules } from '../shared/flags/segmentEdits.ts';
import { reportChanges } from './changes.ts';
import type { CommandMaker } from './command.ts';
import { editActiveSegment } from './editSegment.ts';
import { CliError, UsageError } from './io.ts';

/** Maximum number of users named in a result. */
const NAMED = 5;

const MEMBERSHIPS = [
  ['include', 'include users, by user key (keyId)', 'includes', including],
  ['exclude', 'exclude users, by user key (keyId)', 'excludes', excluding],
  [
    'remove',
    'remove users from both lists, so that the rules of the segment apply to them',
    'does not list',
    leavingToRules,
  ],
] as const;

/** `segment include|exclude|remove`: users by user key, as arguments or from a file. */
export function addMemberCommands(segment: Command, commands: CommandMaker): void {
  for (const [name, description, state, change] of MEMBERSHIPS) {
    commands.edit<{ file?: string }>(
      segment,
      `${name} <segment> [userKeys...]`,
      description,
      async (session, [named = '', ...given], { file }) => {
        const keyIds = [...new Set([...given, ...(file === undefined ? [] : readKeyIds(file))])];
        if (keyIds.length === 0) throw new UsageError('add user keys, or a file with one on each line: --file <file>');
        const written = await editActiveSegment(session, named, (current) => change(current, keyIds));
        const who = keyIds.length > NAMED ? `${keyIds.length} users` : keyIds.join(', ');
        reportChanges(session, written, `segment "${named}" ${state} ${who}`);
      },
      [new Option('--file <file>', 'file with one user key on each line').argParser(userPath)],
    );
  }
}

function readKeyIds(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(`${path} cannot be read: ${(error as Error).message}`);
  }
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
