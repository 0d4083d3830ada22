import type { Command, Option } from 'commander';
import type { Flag } from '../../shared/flags/flag.ts';
import { cleanTexts, readTags } from '../../shared/flags/texts.ts';
import { reportChanges, reportFlags } from '../changes.ts';
import { type CommandMaker, repeatable } from '../command.ts';
import { editActive, editFlags, requireActive } from '../editDocuments.ts';
import { UsageError } from '../io.ts';

const tagOption = (): Option => repeatable('--tag <tag>', 'tag');

/**
 * `rename`, `describe`, `tag`, `untag`: texts for operators. SDKs identify a flag by its key, which does not change.
 */
export function addDescribeCommands(program: Command, commands: CommandMaker): void {
  commands.edit(
    program,
    'rename <flag> <name>',
    'change the display name of a flag. Its key does not change',
    async (session, [key = '', name = '']) => {
      const written = await editActive(session, key, (flag) => ({ ...flag, name }));
      reportChanges(session, written, `${key} is named "${name}"`);
    },
  );

  commands.edit(
    program,
    'describe <flag> <text>',
    'set the description of a flag',
    async (session, [key = '', description = '']) => {
      const written = await editActive(session, key, (flag) => ({ ...flag, description }));
      reportChanges(session, written, `${key} is described as "${description}"`);
    },
  );

  type ChangeOfTags = (tags: readonly string[], given: readonly string[]) => string[];
  const tagging: readonly [name: string, description: string, state: string, change: ChangeOfTags][] = [
    ['tag', 'add tags to flags', 'is tagged', (tags, added) => [...new Set([...tags, ...readTags(added)])]],
    [
      'untag',
      'remove tags from flags',
      'has no tag',
      (tags, removed) => tags.filter((tag) => !cleanTexts(removed).includes(tag)),
    ],
  ];
  for (const [name, description, state, change] of tagging) {
    commands.edit<{ tag: string[] }>(
      program,
      `${name} <flags...>`,
      `${description}: ${name} my-flag other-flag --tag web`,
      async (session, keys, { tag: tags }) => {
        if (tags.length === 0) throw new UsageError('add at least one --tag <tag>');
        const edit = (flag: Flag) => ({ ...requireActive(flag), tags: change(flag.tags, tags) });
        const written = await editFlags(session, keys, edit);
        reportFlags(session, keys, written, (key) => `${key} ${state} "${tags.join('", "')}"`);
      },
      [tagOption()],
    );
  }
}
