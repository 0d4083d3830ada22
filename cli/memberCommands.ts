import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { excluding, including, leavingToRules } from '../shared/flags/segmentEdits.ts';
import { reportChanges } from './changes.ts';
import type { CommandMaker } from './command.ts';
import { editActiveSegment } from './editSegment.ts';
import { CliError } from './io.ts';

/** How many users are named where a change is reported. */
const NAMED = 5;

const MEMBERSHIPS = [
  ['include', 'include users', 'are included in', including],
  ['exclude', 'exclude users', 'are excluded from', excluding],
  ['remove', 'neither include nor exclude users, so that rules apply to them', 'follow the rules of', leavingToRules],
] as const;

/** `segment include|exclude|remove`: users by their key ids, as arguments or from a file. */
export function addMemberCommands(segment: Command, commands: CommandMaker): void {
  for (const [name, description, outcome, change] of MEMBERSHIPS) {
    commands.add<{ file?: string }>(
      segment,
      `${name} <segment> [keyIds...]`,
      description,
      async (session, [named = '', ...given], { file }) => {
        const keyIds = [...new Set([...given, ...(file === undefined ? [] : readKeyIds(file))])];
        if (keyIds.length === 0) throw new CliError('name users by their key ids, or a file of them: --file <file>');
        const written = await editActiveSegment(session, named, (current) => change(current, keyIds));
        const who = keyIds.length > NAMED ? `${keyIds.length} users` : keyIds.join(', ');
        reportChanges(session, written, `${who} ${outcome} ${named}`);
      },
      [new Option('--file <file>', 'file with a key id on each line')],
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
