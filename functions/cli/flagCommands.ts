import { type Command, Option } from 'commander';
import { type Flag, VARIATION_TYPES, type VariationType } from '../../shared/flags/flag.ts';
import { Conflict, NotFound } from '../../shared/store/errors.ts';
import { reportChanges } from './changes.ts';
import { type CommandMaker, repeatable, type Session } from './command.ts';
import { newFlag } from './flagEdits.ts';
import { CliError } from './io.ts';
import { write } from './largeEnvironment.ts';
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
    session.result(flag, JSON.stringify(flag, null, 2));
  });

  commands.add<{ type: VariationType; name?: string; variation: string[] }>(
    program,
    'create <flag>',
    'create a flag that is on and gives everybody its first variation',
    async (session, [key = ''], { type, name, variation }) => {
      const values = variation.length > 0 ? variation : type === 'boolean' ? ['true', 'false'] : [];
      if (values.length === 0) throw new CliError(`a ${type} flag needs its variations: --variation <value> for each`);
      const written = await edit(session, key, (flag) => {
        if (flag) throw new Conflict(`flag "${key}" exists already`);
        return newFlag(session.store.effects.uuid, key, name ?? key, type, values);
      });
      reportChanges(session, written, `flag "${key}" exists`);
    },
    [
      new Option('--type <type>', 'type of its values').choices(VARIATION_TYPES).default('boolean'),
      new Option('--name <name>', 'name for people; the key if omitted'),
      repeatable('--variation <value>', 'value of a variation'),
    ],
  );

  commands.add(
    program,
    'toggle <flag>',
    'switch a flag off if it is on, and on if it is off',
    async (session, [key = '']) => {
      let isEnabled = false;
      const written = await editExisting(session, key, (flag) => {
        isEnabled = !flag.isEnabled;
        return { ...flag, isEnabled };
      });
      reportChanges(session, written, `${key} is ${isEnabled ? 'on' : 'off'}`);
    },
  );

  const switches: readonly [string, string, Partial<Flag>, string][] = [
    ['on', 'switch a flag on', { isEnabled: true }, 'on'],
    ['off', 'switch a flag off: everybody gets its disabled variation', { isEnabled: false }, 'off'],
    ['archive', 'archive a flag: SDKs give their default value from then on', { isArchived: true }, 'archived'],
    ['restore', 'restore an archived flag', { isArchived: false }, 'restored'],
  ];
  for (const [name, description, state, outcome] of switches) {
    commands.add(program, `${name} <flag>`, description, async (session, [key = '']) => {
      reportChanges(
        session,
        await editExisting(session, key, (flag) => ({ ...flag, ...state })),
        `${key} is ${outcome}`,
      );
    });
  }
}

/** Changes a flag of the chosen environment; see `Documents.writeFlag`. */
function edit(session: Session, key: string, change: (flag: Flag | undefined) => Flag) {
  return write(session, (envId) => session.store.documents.writeFlag(envId, key, change));
}

/** Changes a flag that must exist. */
export function editExisting(session: Session, key: string, change: (flag: Flag) => Flag) {
  return edit(session, key, (flag) => {
    if (!flag) throw noFlag(key);
    return change(flag);
  });
}

function stateOf({ isArchived, isEnabled }: Pick<Flag, 'isArchived' | 'isEnabled'>): string {
  if (isArchived) return 'archived';
  return isEnabled ? 'on' : 'off';
}

/** The error for a key that no flag has. */
export function noFlag(key: string): NotFound {
  return new NotFound(`there is no flag "${key}"; \`list\` shows all flags`);
}
