import { type Command, Option } from 'commander';
import { findVariation } from '../shared/flags/shares.ts';
import { withChangedVariation, withoutVariation, withVariation } from '../shared/flags/variationEdits.ts';
import { reportChanges } from './changes.ts';
import type { CommandMaker } from './command.ts';
import { editActive } from './editFlag.ts';
import { CliError } from './io.ts';

/** `variation add|edit|remove`: the values that a flag can have. */
export function addVariationCommands(program: Command, commands: CommandMaker): void {
  const variation = program.command('variation').description('the values that a flag can have');

  commands.add<{ name?: string }>(
    variation,
    'add <flag> <value>',
    'add a variation, which nobody gets yet',
    async (session, [key = '', value = ''], { name = value }) => {
      const added = { id: session.store.effects.uuid(), name, value };
      const written = await editActive(session, key, (flag) => withVariation(flag, added));
      reportChanges(session, written, `${key} has a variation ${name}`);
    },
    [new Option('--name <name>', 'name for people; the value if omitted')],
  );

  commands.add<{ name?: string; value?: string }>(
    variation,
    'edit <flag> <variation>',
    'change the value or the name of a variation; users who get it get the new value',
    async (session, [key = '', named = ''], { name, value }) => {
      if (name === undefined && value === undefined) throw new CliError('give a new --value, a new --name, or both');
      const change = { ...(name === undefined ? {} : { name }), ...(value === undefined ? {} : { value }) };
      const written = await editActive(session, key, (flag) =>
        withChangedVariation(flag, findVariation(flag, named), change),
      );
      reportChanges(session, written, `variation ${named} of ${key} is as described`);
    },
    [new Option('--name <name>', 'name for people'), new Option('--value <value>', 'what SDKs get')],
  );

  commands.add(
    variation,
    'remove <flag> <variation>',
    'remove a variation that nobody can get',
    async (session, [key = '', named = '']) => {
      const written = await editActive(session, key, (flag) => withoutVariation(flag, findVariation(flag, named)));
      reportChanges(session, written, `${key} has no variation ${named}`);
    },
  );
}
