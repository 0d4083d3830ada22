import type { Command } from 'commander';
import { Option } from 'commander';
import { loadDocuments } from '../../shared/store/documents.ts';
import { createEnvironment, findEnvironment, listEnvironments } from '../../shared/store/environments.ts';
import { removeEnvironment } from '../../shared/store/removal.ts';
import type { CommandMaker } from './command.ts';
import { CliError } from './io.ts';
import { issuedText, secretTable } from './secretCommands.ts';
import { formatTable } from './table.ts';

/** `env create|list|show|delete`. */
export function addEnvironmentCommands(program: Command, commands: CommandMaker): void {
  const env = program.command('env').description('environments: flags, segments and the secrets that open them');

  commands.add<{ id?: string }>(
    env,
    'create <name>',
    'create an environment, and show its two secrets this once',
    async ({ tables, effects, result }, [name = ''], { id }) => {
      const { environment, secrets } = await createEnvironment(tables, effects, name, id);
      const issued = secrets.map(({ record, value }) => ({
        id: record.id,
        name: record.name,
        type: record.type,
        value,
      }));
      result(
        { id: environment.id, name, secrets: issued },
        [`created environment "${name}" with id ${environment.id}`, ...secrets.map(issuedText)].join('\n'),
      );
    },
    [new Option('--id <guid>', 'its id, where it is moved over from elsewhere')],
  );

  commands.add(env, 'list', 'list the environments', async ({ tables, result }) => {
    const all = await listEnvironments(tables);
    const rows = all.map(({ name, id }) => [name, id]);
    result(all, formatTable(['name', 'id'], rows, 'there is no environment yet; make one with: env create <name>'));
  });

  commands.add(env, 'show', 'show an environment and its secrets, without their values', async (session) => {
    const environment = await session.environment();
    const { id, name, createdAt, secrets } = environment;
    session.result(
      { id, name, createdAt, secrets: secrets.map(({ hash, ...shown }) => shown) },
      [`${name}  ${id}  created ${createdAt}`, secretTable(environment, session.effects.now())].join('\n'),
    );
  });

  commands.add<{ yes?: boolean }>(
    env,
    'delete <environment>',
    'delete an environment, with its secrets, flags and segments, for good',
    async ({ tables, effects, result }, [named = ''], { yes }) => {
      const environment = await findEnvironment(tables, named);
      const { id, name } = environment;
      const documents = (await loadDocuments(tables, id)).length;
      if (!yes) {
        throw new CliError(
          `"${name}" (${id}) holds ${documents} flags and segments and ${environment.secrets.length} secrets. ` +
            'Nothing brings them back but a restored table; export them first, and repeat with --yes',
        );
      }
      await removeEnvironment(tables, effects, environment);
      result({ id, name, documents }, `deleted environment "${name}" with ${documents} flags and segments`);
    },
    [new Option('--yes', 'do it')],
  );
}
