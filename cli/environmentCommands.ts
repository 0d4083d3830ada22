import type { Command } from 'commander';
import { Option } from 'commander';
import type { CommandMaker } from './command.ts';
import { addCompareCommands } from './compareCommands.ts';
import { CHOICE_FILE, chooseForFolder } from './environmentChoice.ts';
import { CliError } from './io.ts';
import { issuedText, secretTable } from './secretCommands.ts';
import { formatTable } from './table.ts';

/** `env create|list|use|show|rename|mark|keep-history|clone|diff|delete`. */
export function addEnvironmentCommands(program: Command, commands: CommandMaker): void {
  const env = program.command('env').description('environments with their flags, segments and secrets');

  commands.add<{ id?: string }>(
    env,
    'create <name>',
    'create an environment, and show its two secrets once',
    async ({ store, result, where }, [name = ''], { id }) => {
      const { environment, secrets } = await store.environments.create(name, id);
      const issued = secrets.map(({ record, value }) => ({
        id: record.id,
        name: record.name,
        type: record.type,
        value,
      }));
      result({ id: environment.id, name, secrets: issued }, [
        `created environment "${name}" with id ${environment.id} (${where()})`,
        ...secrets.map(issuedText),
      ]);
    },
    [new Option('--id <guid>', 'id of an environment that exists elsewhere already')],
  );

  commands.add(env, 'list', 'list the environments', async ({ store, result }) => {
    const all = await store.environments.list();
    const rows = all.map(({ name, id, isProduction }) => [name, id, isProduction ? 'production' : '']);
    result(
      all,
      formatTable(['name', 'id', 'marked as'], rows, 'there is no environment yet; create one with: env create <name>'),
    );
  });

  commands.add(
    env,
    'use [environment]',
    'choose the environment that commands in this folder take unless --env or FLAGWIRE_ENV names another; none if omitted',
    async ({ store, result }, [named]) => {
      const name = named === undefined ? undefined : (await store.environments.find(named)).name;
      chooseForFolder(name);
      result(
        { environment: name ?? null },
        name === undefined
          ? 'commands in this folder take the environment that --env or FLAGWIRE_ENV names, or the only one there is'
          : `commands in this folder take environment "${name}" unless --env or FLAGWIRE_ENV names another (${CHOICE_FILE})`,
      );
    },
  );

  commands.add(env, 'show', 'show an environment and its secrets, without their values', async (session) => {
    const environment = await session.environment();
    const { id, name, createdAt, historyDays, isProduction, secrets } = environment;
    session.result(
      { id, name, createdAt, historyDays, isProduction, secrets: secrets.map(({ hash, ...shown }) => shown) },
      [
        `${name}  ${id}  created ${createdAt}  keeps changes ${historyDays} days${isProduction ? '  production' : ''}`,
        ...secretTable(environment, session.store.effects.now()),
      ],
    );
  });

  commands.add(
    env,
    'keep-history <days>',
    'keep changes from now on for so many days; the default is 365',
    async (session, [days = '']) => {
      const { id } = await session.environment();
      const { historyDays } = await session.store.environments.change({ id }, { historyDays: Number(days) });
      session.result({ id, historyDays }, `changes are kept for ${historyDays} days (${session.where()})`);
    },
  );

  commands.add(env, 'rename <name>', 'change the name of an environment; its id stays', async (session, [to = '']) => {
    const { id } = await session.environment();
    const { name } = await session.store.environments.change({ id }, { name: to });
    session.result({ id, name }, `environment ${id} is named "${name}" (table ${session.table})`);
  });

  commands.add<{ production: 'on' | 'off' }>(
    env,
    'mark',
    'mark an environment as production: the console asks before it changes anything in it',
    async (session, _, { production }) => {
      const { id } = await session.environment();
      const isProduction = production === 'on';
      await session.store.environments.change({ id }, { isProduction });
      session.result({ id, isProduction }, `production is ${production} (${session.where()})`);
    },
    [new Option('--production <on|off>', 'whether it is').choices(['on', 'off']).makeOptionMandatory()],
  );

  addCompareCommands(env, commands);

  commands.add<{ yes?: boolean }>(
    env,
    'delete <environment>',
    'delete an environment with its secrets, flags and segments; this cannot be undone',
    async ({ store, result, where }, [named = ''], { yes }) => {
      const environment = await store.environments.find(named);
      const { id, name } = environment;
      const documents = (await store.documents.load(id)).length;
      if (!yes) {
        throw new CliError(
          `"${name}" (${id}) holds ${documents} flags and segments and ${environment.secrets.length} secrets. ` +
            'Only a restored table brings them back. Export them first, then repeat the command with --yes',
        );
      }
      await store.environments.remove(environment);
      result(
        { id, name, documents },
        `deleted environment "${name}" with ${documents} flags and segments (${where()})`,
      );
    },
    [new Option('--yes', 'delete it')],
  );
}
