import { type Command, Option } from 'commander';
import { newFlag } from '../../shared/flags/edits/flagEdits.ts';
import { VARIATION_TYPES, type VariationType } from '../../shared/flags/flag.ts';
import { findVariation } from '../../shared/flags/shares.ts';
import { readTags } from '../../shared/flags/texts.ts';
import { Conflict } from '../../shared/store/table/errors.ts';
import { reportChanges, reportFlags } from '../changes.ts';
import { type CommandMaker, repeatable } from '../command.ts';
import { editFlag, editFlags, requireActive } from '../editDocuments.ts';
import { UsageError } from '../io.ts';

/** `create`, and the commands for whole flags: `toggle`, `on`, `off`, `archive`, `restore`. */
export function addFlagCommands(program: Command, commands: CommandMaker): void {
  commands.change<{ type: VariationType; name?: string; variation: string[]; tag: string[]; on?: boolean }>(
    program,
    'create <flag>',
    'create a flag that is off. While off, it serves its last variation. Once on, it serves the first',
    async (session, [key = ''], { type, name = key, variation, tag, on = false }) => {
      const values = variation.length > 0 ? variation : type === 'boolean' ? ['true', 'false'] : [];
      if (values.length === 0) {
        throw new UsageError(`a ${type} flag needs its variations; add --variation <value> for each`);
      }
      const written = await editFlag(session, key, (flag) => {
        if (flag) throw new Conflict(`flag "${key}" exists already${flag.isArchived ? ', and is archived' : ''}`);
        const created = newFlag(session.store.effects.uuid, { key, name, variationType: type, values });
        return { ...created, isEnabled: on, tags: readTags(tag) };
      });
      reportChanges(session, written, `created flag "${key}" (${on ? 'on' : 'off'})`);
    },
    [
      new Option('--type <type>', 'type of its values').choices(VARIATION_TYPES).default('boolean'),
      new Option('--name <name>', 'display name (default: the key)'),
      repeatable('--variation <value>', 'value of a variation'),
      repeatable('--tag <tag>', 'tag'),
      new Option('--on', 'turn it on immediately'),
    ],
  );

  commands.edit(
    program,
    'toggle <flags...>',
    'turn on the flags that are off, and turn off those that are on',
    async (session, keys) => {
      const wanted = new Map<string, boolean>();
      const written = await editFlags(session, keys, (flag) => {
        const isEnabled = wanted.get(flag.key) ?? !flag.isEnabled;
        wanted.set(flag.key, isEnabled);
        return { ...requireActive(flag), isEnabled };
      });
      reportFlags(session, keys, written, (key) => `${key} is ${wanted.get(key) ? 'on' : 'off'}`);
    },
  );

  commands.edit(program, 'on <flags...>', 'turn flags on', async (session, keys) => {
    const written = await editFlags(session, keys, (flag) => ({ ...requireActive(flag), isEnabled: true }));
    reportFlags(session, keys, written, (key) => `${key} is on`);
  });

  commands.edit<{ serve?: string }>(
    program,
    'off <flags...>',
    'turn flags off. Each then serves its off variation to everyone',
    async (session, keys, { serve }) => {
      const written = await editFlags(session, keys, (flag) => ({
        ...requireActive(flag),
        isEnabled: false,
        ...(serve === undefined ? {} : { disabledVariationId: findVariation(flag, serve).id }),
      }));
      reportFlags(session, keys, written, (key) => `${key} is off${serve === undefined ? '' : ` and serves ${serve}`}`);
    },
    [new Option('--serve <variation>', 'off variation (default: the current one)')],
  );

  commands.edit(
    program,
    'archive <flags...>',
    'archive flags. SDKs then return the default in your code',
    async (session, keys) => {
      const written = await editFlags(session, keys, (flag) => ({ ...flag, isArchived: true }));
      reportFlags(session, keys, written, (key) => `${key} is archived`);
    },
  );

  commands.edit(program, 'restore <flags...>', 'restore archived flags', async (session, keys) => {
    const written = await editFlags(session, keys, (flag) => ({ ...flag, isArchived: false }));
    reportFlags(
      session,
      keys,
      written,
      (key) => `${key} is restored`,
      (key) => `${key} is not archived`,
    );
  });
}
