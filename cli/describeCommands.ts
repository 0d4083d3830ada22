import type { Command } from 'commander';
import type { Flag } from '../shared/flags/flag.ts';
import { reportChanges } from './changes.ts';
import type { CommandMaker } from './command.ts';
import { editActive } from './editFlag.ts';

/** `rename`, `describe`, `tag`, `untag`: what people know a flag by; SDKs know it by its key, which stays. */
export function addDescribeCommands(program: Command, commands: CommandMaker): void {
  const words: readonly [string, string, string, (flag: Flag, words: readonly string[]) => Partial<Flag>][] = [
    [
      'rename <flag> <name>',
      'change the name of a flag for people; its key stays',
      'is named',
      (_flag, [name = '']) => ({ name }),
    ],
    [
      'describe <flag> <text>',
      'say what a flag is for',
      'is described as',
      (_flag, [description = '']) => ({ description }),
    ],
    [
      'tag <flag> <tags...>',
      'tag a flag',
      'is tagged',
      ({ tags }, added) => ({ tags: [...new Set([...tags, ...added])] }),
    ],
    [
      'untag <flag> <tags...>',
      'remove tags from a flag',
      'has no tag',
      ({ tags }, removed) => ({ tags: tags.filter((tag) => !removed.includes(tag)) }),
    ],
  ];
  for (const [usage, description, outcome, change] of words) {
    commands.add(program, usage, description, async (session, [key = '', ...given]) => {
      const written = await editActive(session, key, (flag) => ({ ...flag, ...change(flag, given) }));
      reportChanges(session, written, `${key} ${outcome} "${given.join('", "')}"`);
    });
  }
}
