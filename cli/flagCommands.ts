import { type Command, Option } from 'commander';
import { type Flag, VARIATION_TYPES, type VariationType } from '../shared/flags/flag.ts';
import { newFlag } from '../shared/flags/flagEdits.ts';
import { findVariation } from '../shared/flags/shares.ts';
import { Conflict } from '../shared/store/errors.ts';
import { reportChanges } from './changes.ts';
import { type CommandMaker, repeatable } from './command.ts';
import { editActive, editExisting, editFlag, noFlag } from './editFlag.ts';
import { CliError } from './io.ts';
import { formatTable } from './table.ts';

/** `list`, `show`, `create`, and what switches a flag as a whole: `toggle`, `on`, `off`, `archive`, `restore`. */
export function addFlagCommands(program: Command, commands: CommandMaker): void {
  commands.add<{ archived?: boolean }>(
    program,
    'list',
    'list the flags',
    async (session, _args, { archived }) => {
      const flags = (await session.documents<Flag>('flag')).filter((flag) => archived || !flag.isArchived);
      const rows = flags.map(({ key, name, variationType, updatedAt, ...flag }) => [
        key,
        stateOf(flag),
        variationType,
        name,
        updatedAt,
      ]);
      session.result(flags, formatTable(['key', 'state', 'type', 'name', 'version'], rows, 'there are no flags'));
    },
    [new Option('--archived', 'include archived flags')],
  );

  commands.add(program, 'show <flag>', 'show a flag as it is stored', async (session, [key = '']) => {
    const flag = (await session.documents<Flag>('flag')).find((candidate) => candidate.key === key);
    if (!flag) throw noFlag(key);
    session.result(flag);
  });

  commands.add<{ type: VariationType; name?: string; variation: string[]; on?: boolean }>(
    program,
    'create <flag>',
    'create a flag that is off: everybody gets its last variation, and its first once it is on',
    async (session, [key = ''], { type, name = key, variation, on = false }) => {
      const values = variation.length > 0 ? variation : type === 'boolean' ? ['true', 'false'] : [];
      if (values.length === 0) throw new CliError(`a ${type} flag needs its variations: --variation <value> for each`);
      const written = await editFlag(session, key, (flag) => {
        if (flag) throw new Conflict(`flag "${key}" exists already${flag.isArchived ? ', and is archived' : ''}`);
        return { ...newFlag(session.store.effects.uuid, { key, name, variationType: type, values }), isEnabled: on };
      });
      reportChanges(session, written, `flag "${key}" exists, and is ${on ? 'on' : 'off'}`);
    },
    [
      new Option('--type <type>', 'type of its values').choices(VARIATION_TYPES).default('boolean'),
      new Option('--name <name>', 'name for people; the key if omitted'),
      repeatable('--variation <value>', 'value of a variation'),
      new Option('--on', 'switch it on at once'),
    ],
  );

  commands.add(
    program,
    'toggle <flag>',
    'switch a flag off if it is on, and on if it is off',
    async (session, [key = '']) => {
      let isEnabled = false;
      const written = await editActive(session, key, (flag) => {
        isEnabled = !flag.isEnabled;
        return { ...flag, isEnabled };
      });
      reportChanges(session, written, `${key} is ${isEnabled ? 'on' : 'off'}`);
    },
  );

  commands.add(program, 'on <flag>', 'switch a flag on', async (session, [key = '']) => {
    reportChanges(session, await editActive(session, key, (flag) => ({ ...flag, isEnabled: true })), `${key} is on`);
  });

  commands.add<{ serve?: string }>(
    program,
    'off <flag>',
    'switch a flag off: everybody gets its disabled variation',
    async (session, [key = ''], { serve }) => {
      const written = await editActive(session, key, (flag) => ({
        ...flag,
        isEnabled: false,
        ...(serve === undefined ? {} : { disabledVariationId: findVariation(flag, serve).id }),
      }));
      reportChanges(session, written, `${key} is off${serve === undefined ? '' : ` and gives everybody ${serve}`}`);
    },
    [new Option('--serve <variation>', 'what everybody gets while it is off; as it was if omitted')],
  );

  const ends = [
    ['archive', 'archive a flag: SDKs give their default value from then on', true, 'archived'],
    ['restore', 'restore an archived flag', false, 'restored'],
  ] as const;
  for (const [name, description, isArchived, outcome] of ends) {
    commands.add(program, `${name} <flag>`, description, async (session, [key = '']) => {
      reportChanges(
        session,
        await editExisting(session, key, (flag) => ({ ...flag, isArchived })),
        `${key} is ${outcome}`,
      );
    });
  }
}

function stateOf({ isArchived, isEnabled }: Pick<Flag, 'isArchived' | 'isEnabled'>): string {
  if (isArchived) return 'archived';
  return isEnabled ? 'on' : 'off';
}
