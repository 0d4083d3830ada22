import { type Command, Option } from 'commander';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { contentOf } from '../../shared/store/documents/item.ts';
import type { Environment } from '../../shared/store/environments/environment.ts';
import type { EnvironmentChange } from '../../shared/store/environments/environments.ts';
import type { CommandMaker } from '../command.ts';
import { confirmOptions } from '../confirmProduction.ts';
import { CHOICE_FILE } from '../environmentChoice.ts';
import { CliError, UsageError, writeAtomically } from '../io.ts';
import type { Session } from '../session.ts';
import { counted, countedDocuments, formatTable } from '../text.ts';
import { addAccessCommand } from './accessCommand.ts';
import { addCompareCommands } from './compareCommands.ts';
import { issuedJson, issuedText, secretTable, withoutHash } from './secretCommands.ts';

/** `env create|list|use|show|rename|mark|require-reason|keep-history|clone|diff|access|delete`. */
export function addEnvironmentCommands(program: Command, commands: CommandMaker): void {
  const env = program.command('env').description('environments with their flags, segments and SDK keys');

  commands.addGlobal<{ id?: string }>(
    env,
    'create <name>',
    'create an environment, and show its two SDK keys once',
    async ({ store, result, where, isVerbose }, [name = ''], { id }) => {
      const { environment, secrets } = await store.environments.create(name, id);
      result({ id: environment.id, name, secrets: secrets.map(issuedJson) }, [
        `✓ created environment "${name}"${isVerbose ? ` with id ${environment.id}` : ''}${where()}`,
        ...secrets.map(issuedText),
      ]);
    },
    [
      new Option(
        '--id <guid>',
        'id of the environment, for example its id in FeatBit. If omitted, the command creates an id',
      ),
    ],
  );

  commands.addGlobal(env, 'list', 'list the environments', async ({ store, result }) => {
    const all = await store.environments.list();
    const rows = all.map(({ name, id, isProduction }) => [name, id, isProduction ? 'production' : '']);
    result(
      all,
      formatTable(
        ['name', 'id', 'marked as'],
        rows,
        `there is no environment yet; create one with: ${ownCommand('flags', 'env create <name>')}`,
        ['id'],
      ),
    );
  });

  commands.addGlobal(
    env,
    'use <environment>',
    `choose the environment for commands in this folder, in the file ${CHOICE_FILE}. --env and FLAGWIRE_ENV override it`,
    async ({ store, result }, [named = '']) => {
      const { name } = await store.environments.find(named);
      const choice = { environment: name };
      writeAtomically(CHOICE_FILE, `${JSON.stringify(choice, null, 2)}\n`);
      result(
        choice,
        `commands in this folder use environment "${name}" unless --env or FLAGWIRE_ENV names another (${CHOICE_FILE})`,
      );
    },
  );

  commands.add(env, 'show', 'show an environment and its SDK keys, without their values', async (session) => {
    const environment = await session.environment();
    const { id, name, createdAt, historyDays, isProduction, requiresReason, secrets } = environment;
    session.result(
      { id, name, createdAt, historyDays, isProduction, requiresReason, secrets: secrets.map(withoutHash) },
      [
        [
          `${name}  ${id}  created ${session.time(Date.parse(createdAt))}  keeps history ${historyDays} days`,
          ...(isProduction ? ['production'] : []),
          ...(requiresReason ? ['requires reasons'] : []),
        ].join('  '),
        ...secretTable(session, environment, true),
      ],
    );
  });

  addSettingCommands(env, commands);
  addCompareCommands(env, commands);
  addAccessCommand(env, commands);
  addDeleteCommand(env, commands);
}

/** `env keep-history|rename|mark|require-reason`: the settings of the chosen environment. */
function addSettingCommands(env: Command, commands: CommandMaker): void {
  commands.add(
    env,
    'keep-history <days>',
    'set how many days the history stores new changes. The default is 365',
    (session, [days = '']) =>
      changeSetting(
        session,
        { historyDays: Number(days) },
        ({ historyDays }) => `✓ the history keeps new changes for ${historyDays} days${session.where()}`,
      ),
    confirmOptions(),
  );

  commands.add(
    env,
    'rename <name>',
    'change the name of an environment. Its id does not change',
    (session, [to = '']) =>
      changeSetting(
        session,
        { name: to },
        ({ id, name }, before) =>
          `✓ renamed environment "${before}" to "${name}"${session.isVerbose ? ` (id ${id}, table ${session.table})` : ''}`,
      ),
    confirmOptions(),
  );

  commands.add<{ production: 'on' | 'off' }>(
    env,
    'mark',
    'mark an environment as production: the console and these commands then ask before each change',
    (session, _, { production }) =>
      changeSetting(session, { isProduction: production === 'on' }, ({ name, isProduction }) => {
        const done = isProduction ? `marked "${name}" as production` : `"${name}" is not marked as production any more`;
        return `✓ ${done}${inTable(session)}`;
      }),
    [
      new Option('--production <on|off>', 'whether it is production').choices(['on', 'off']).makeOptionMandatory(),
      ...confirmOptions(),
    ],
  );

  commands.add(
    env,
    'require-reason <on|off>',
    'require a reason for each change of a flag or segment. The console and these commands ask for it',
    async (session, [state = '']) => {
      if (state !== 'on' && state !== 'off') throw new UsageError(`"${state}" is not a state; write on or off`);
      await changeSetting(session, { requiresReason: state === 'on' }, ({ name, requiresReason }) => {
        return `✓ changes in "${name}" ${requiresReason ? 'require a reason' : 'need no reason'}${inTable(session)}`;
      });
    },
    confirmOptions(),
  );
}

const inTable = ({ isVerbose, table }: Session) => (isVerbose ? ` (table ${table})` : '');

/** Changes one setting of the chosen environment. @param done what was done, by the environment and its name before */
async function changeSetting(
  session: Session,
  change: EnvironmentChange,
  done: (changed: Environment, before: string) => string,
): Promise<void> {
  const { id, name } = await session.environmentToChange();
  const changed = await session.store.environments.change({ id }, change);
  const [setting] = Object.keys(change) as (keyof EnvironmentChange)[];
  session.result({ id, ...(setting && { [setting]: changed[setting] }) }, done(changed, name));
}

/** `env delete`. */
function addDeleteCommand(env: Command, commands: CommandMaker): void {
  commands.addGlobal<{ yes?: boolean }>(
    env,
    'delete <environment>',
    'delete an environment with its SDK keys, flags and segments. This cannot be undone',
    async ({ store, result, where, environmentToChange }, [named = ''], { yes }) => {
      const environment = await store.environments.find(named);
      const { id, name } = environment;
      const documents = (await store.documents.load(id)).filter((stored) => !contentOf(stored)?.isDeleted).length;
      if (!yes) {
        throw new CliError(
          `environment "${name}" (${id}) has ${countedDocuments(documents)}, and ${counted(environment.secrets.length, 'SDK key')}. ` +
            'To get them back, you must restore the table. Export them first, then repeat the command with --yes',
        );
      }
      await store.environments.remove(await environmentToChange(environment));
      result({ id, name, documents }, `✓ deleted environment "${name}" with ${countedDocuments(documents)}${where()}`);
    },
    confirmOptions('delete it. Without this option, the command only shows what would be lost'),
  );
}
