import { type Command, Option } from 'commander';
import { withChangedVariation, withoutVariation, withVariation } from '../../shared/flags/edits/variationEdits.ts';
import { findVariation } from '../../shared/flags/shares.ts';
import { reportChanges } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { editActive } from '../editDocuments.ts';
import { UsageError } from '../io.ts';

/** `variation add|edit|remove`: the values that a flag can have. */
export function addVariationCommands(program: Command, commands: CommandMaker): void {
  const variation = program.command('variation').description('the values that a flag can have');

  commands.edit<{ name?: string }>(
    variation,
    'add <flag> <value>',
    'add a variation, which no rule serves yet',
    async (session, [key = '', value = ''], { name = value }) => {
      const added = { id: session.store.effects.uuid(), name, value };
      const written = await editActive(session, key, (flag) => withVariation(flag, added));
      reportChanges(session, written, `added variation "${name}" to ${key}`);
    },
    [new Option('--name <name>', 'display name (default: the value)')],
  );

  commands.edit<{ name?: string; value?: string }>(
    variation,
    'edit <flag> <variation>',
    'change the value or the name of a variation. A new value is served at once',
    async (session, [key = '', named = ''], { name, value }) => {
      if (name === undefined && value === undefined) throw new UsageError('add --value, --name, or both');
      const change = { ...(name === undefined ? {} : { name }), ...(value === undefined ? {} : { value }) };
      const written = await editActive(session, key, (flag) =>
        withChangedVariation(flag, findVariation(flag, named), change),
      );
      const which = `variation "${named}" of ${key}`;
      reportChanges(session, written, `changed ${which}`, `${which} is already like this`);
    },
    [new Option('--name <name>', 'display name'), new Option('--value <value>', 'value that SDKs return')],
  );

  commands.edit(
    variation,
    'remove <flag> <variation>',
    'remove a variation that is not served',
    async (session, [key = '', named = '']) => {
      const written = await editActive(session, key, (flag) => withoutVariation(flag, findVariation(flag, named)));
      reportChanges(session, written, `removed variation "${named}" of ${key}`);
    },
  );
}
