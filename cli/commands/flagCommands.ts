import { type Command, Option } from 'commander';
import { duplicateFlag } from '../../shared/flags/edits/duplicate.ts';
import { newFlag } from '../../shared/flags/edits/flagEdits.ts';
import { withChangedVariation, withoutVariation, withVariation } from '../../shared/flags/edits/variationEdits.ts';
import { type Flag, VARIATION_TYPES, type VariationType } from '../../shared/flags/flag.ts';
import { findVariation } from '../../shared/flags/shares.ts';
import { cleanTexts, readTags } from '../../shared/flags/texts.ts';
import { Conflict } from '../../shared/store/table/errors.ts';
import { reportChanges, reportFlags } from '../changes.ts';
import { type CommandMaker, repeatable } from '../command.ts';
import { editActive, editFlag, editFlags, findFlag, requireActive } from '../editDocuments.ts';
import { CliError, UsageError } from '../io.ts';
import { noteEnding } from '../noteEnding.ts';

const VARIATION_HELP =
  'variation: its value, or name=value. A name has letters, digits, spaces, dots, underscores and hyphens. For a value ' +
  'that contains = after such a text, write =value';

/** A value, or a name and a value. JSON and addresses are values: they have other characters before their first =. */
function readVariation(text: string): { readonly name?: string; readonly value: string } {
  const [, name, value] = /^([\p{L}\p{N}][\p{L}\p{N} ._-]*|)=(.*)$/su.exec(text) ?? [];
  if (value === undefined) return { value: text };
  return name ? { name: name.trim(), value } : { value };
}

/** `create`, `duplicate`, the commands for whole flags, for their texts, and for their variations. */
export function addFlagCommands(program: Command, commands: CommandMaker): void {
  commands.change<{ type: VariationType; name?: string; variation: string[]; tag: string[]; on?: boolean }>(
    program,
    'create <flag>',
    'create a flag that is off. While off, it serves its last variation. Once on, it serves the first',
    async (session, [key = ''], { type, name = key, variation, tag, on = false }) => {
      const given = variation.length > 0 ? variation : type === 'boolean' ? ['true', 'false'] : [];
      if (given.length === 0) {
        throw new UsageError(`a ${type} flag needs its variations; add --variation <value> for each`);
      }
      const named = given.map(readVariation);
      const written = await editFlag(session, key, (flag) => {
        requireFreeKey(key, flag);
        const values = named.map(({ value }) => value);
        const created = newFlag(session.store.effects.uuid, { key, name, variationType: type, values });
        const variations = created.variations.map((each, n) => ({ ...each, name: named[n]?.name ?? each.value }));
        return { ...created, variations, isEnabled: on, tags: readTags(tag) };
      });
      reportChanges(session, written, `created flag "${key}" (${on ? 'on' : 'off'})`);
    },
    [
      new Option('--type <type>', 'type of its values').choices(VARIATION_TYPES).default('boolean'),
      new Option('--name <name>', 'display name (default: the key)'),
      repeatable('--variation <name=value>', VARIATION_HELP),
      repeatable('--tag <tag>', 'tag'),
      new Option('--on', 'turn it on immediately'),
    ],
  );

  commands.change<{ name?: string }>(
    program,
    'duplicate <flag> <new-key>',
    'create a flag with the same settings and on/off state as another. Its percentages select other users, because they depend on the key',
    async (session, [from = '', key = ''], { name = key }) => {
      const original = await findFlag(session, from);
      if (original.isArchived) throw new CliError(`flag "${from}" is archived; first: restore ${from}`);
      const written = await editFlag(session, key, (flag) => {
        requireFreeKey(key, flag);
        return duplicateFlag(original, session.store.effects.uuid, { key, name });
      });
      reportChanges(session, written, `created flag "${key}" (${original.isEnabled ? 'on' : 'off'}) from "${from}"`);
    },
    [new Option('--name <name>', 'display name (default: the new key)')],
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
    'archive flags and end their plans. SDKs then return the default in your code',
    async (session, keys) => {
      await noteEnding(session, keys);
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
  addDescribeCommands(program, commands);
  addVariationCommands(program, commands);
}

function requireFreeKey(key: string, flag: Flag | undefined): void {
  if (flag) throw new Conflict(`flag "${key}" exists already${flag.isArchived ? ', and is archived' : ''}`);
}

/**
 * `rename`, `describe`, `tag`, `untag`: texts for operators. SDKs identify a flag by its key, which does not change.
 */
function addDescribeCommands(program: Command, commands: CommandMaker): void {
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
      description,
      async (session, keys, { tag: tags }) => {
        if (tags.length === 0) throw new UsageError('add at least one --tag <tag>');
        const edit = (flag: Flag) => ({ ...requireActive(flag), tags: change(flag.tags, tags) });
        const written = await editFlags(session, keys, edit);
        reportFlags(session, keys, written, (key) => `${key} ${state} "${tags.join('", "')}"`);
      },
      [repeatable('--tag <tag>', 'tag')],
    );
  }
}

/** `variation add|edit|remove`: the values that a flag can have. */
function addVariationCommands(program: Command, commands: CommandMaker): void {
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
