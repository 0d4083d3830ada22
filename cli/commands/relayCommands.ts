import type { Command } from 'commander';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import type { RelayRecord } from '../../shared/store/environments/relay.ts';
import { SECRET_CACHE_MS } from '../../shared/store/environments/secretCache.ts';
import type { CommandMaker } from '../command.ts';
import { confirmOptions } from '../confirmProduction.ts';
import { formatTable } from '../text.ts';

/** `relay create|list|revoke`. */
export function addRelayCommands(program: Command, commands: CommandMaker): void {
  const relay = program.command('relay').description('keys that FeatBit’s agent connects with');

  commands.addGlobal(
    relay,
    'create <name> <environments...>',
    'create a relay key for environments, with SDK keys for the SDKs behind the agent, and show them once',
    async ({ store, result, note, environmentToChange }, [name = '', ...scope]) => {
      for (const named of scope) await environmentToChange(await store.environments.find(named));
      const { record, key } = await store.relays.create(name, scope);
      const { id, environments } = record;
      const secrets = environments.flatMap(({ envKey, secrets }) =>
        secrets.map(({ type, value }) => `${envKey}: ${type} key ${value}`),
      );
      result({ id, name, key, environments }, [`created relay key "${name}" (${id}): ${key}`, ...secrets]);
      note(
        'Shown only once; store them safely. Set the key as ApiKey of the agent. SDKs that connect to the agent need these SDK keys. ' +
          'The environments of a key cannot be changed; for others, create another key.',
      );
    },
    confirmOptions(),
  );

  commands.addGlobal(relay, 'list', 'list the relay keys, without their values', async ({ store, result }) => {
    const all = await store.relays.list();
    const rows = all.map(({ id, name, hint, environments, revokedAt }) => [
      id,
      name,
      `${hint}…`,
      environments.map(({ envKey }) => envKey).join(', '),
      revokedAt === undefined ? 'active' : `revoked ${revokedAt}`,
    ]);
    const empty = `there is no relay key; create one with: ${ownCommand('flags', 'relay create <name> <environments...>')}`;
    result(all.map(shown), formatTable(['id', 'name', 'begins', 'environments', 'state'], rows, empty));
  });

  commands.addGlobal(
    relay,
    'revoke <id>',
    'revoke a relay key now, and the SDK keys that were created with it',
    async ({ store, result, note, environmentToChange }, [relayId = '']) => {
      const scope = (await store.relays.list()).find(({ id }) => id === relayId)?.environments ?? [];
      const left = new Set((await store.environments.list()).map(({ id }) => id));
      for (const { envId } of scope.filter((each) => left.has(each.envId))) {
        await environmentToChange(await store.environments.find(envId));
      }
      const { id, name, revokedAt } = await store.relays.revoke(relayId);
      result({ id, revokedAt }, `revoked relay key "${name}" and its SDK keys`);
      note(
        `new connections are refused within ${SECRET_CACHE_MS / 1000} seconds; open ones are closed within a minute. ` +
          'An agent serves its own SDKs with its last flags until you stop it',
      );
    },
    confirmOptions(),
  );
}

/** A relay without its secret values. */
function shown({ id, name, hint, createdAt, revokedAt, environments }: RelayRecord) {
  const scope = environments.map(({ envId, envKey }) => ({ id: envId, name: envKey }));
  return { id, name, hint, createdAt, ...(revokedAt ? { revokedAt } : {}), environments: scope };
}
