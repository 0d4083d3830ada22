import type { Command } from 'commander';
import type { RelayRecord } from '../shared/store/relay.ts';
import { SECRET_CACHE_MS } from '../shared/store/secretCache.ts';
import type { CommandMaker } from './command.ts';
import { formatTable } from './table.ts';

/** `relay create|list|revoke`. */
export function addRelayCommands(program: Command, commands: CommandMaker): void {
  const relay = program.command('relay').description('the keys that FeatBit’s agent connects with');

  commands.add(
    relay,
    'create <name> <environments...>',
    'create a relay key for environments, with secrets for the SDKs behind the agent, and show them once',
    async ({ store, result, note }, [name = '', ...scope]) => {
      const { record, key } = await store.relays.create(name, scope);
      const { id, environments } = record;
      const secrets = environments.flatMap(({ envKey, secrets }) =>
        secrets.map(({ type, value }) => `${envKey}: ${type} secret ${value}`),
      );
      result({ id, name, key, environments }, [`relay key "${name}" (${id}): ${key}`, ...secrets]);
      note(
        'Shown only once: store them safely. The agent takes the key as its ApiKey; the SDKs that connect to it take these ' +
          'secrets, and no others. What a key opens cannot be changed: for other environments make another.',
      );
    },
  );

  commands.add(relay, 'list', 'list the relay keys, without their values', async ({ store, result }) => {
    const all = await store.relays.list();
    const rows = all.map(({ id, name, hint, environments, revokedAt }) => [
      id,
      name,
      `${hint}…`,
      environments.map(({ envKey }) => envKey).join(', '),
      revokedAt === undefined ? 'active' : `revoked ${revokedAt}`,
    ]);
    const empty = 'there is no relay key; create one with: relay create <name> <environments...>';
    result(all.map(shown), formatTable(['id', 'name', 'begins', 'environments', 'state'], rows, empty));
  });

  commands.add(
    relay,
    'revoke <id>',
    'revoke a relay key now, and the secrets that were made with it',
    async ({ store, result, note }, [relayId = '']) => {
      const { id, name, revokedAt } = await store.relays.revoke(relayId);
      result({ id, revokedAt }, `revoked relay key "${name}" and its secrets`);
      note(
        `new connections are refused within ${SECRET_CACHE_MS / 1000} seconds; open ones are closed within a minute. ` +
          'An agent keeps what it has, and goes on serving its own SDKs, until it is stopped',
      );
    },
  );
}

/** A relay without what opens anything. */
function shown({ id, name, hint, createdAt, revokedAt, environments }: RelayRecord) {
  const scope = environments.map(({ envId, envKey }) => ({ id: envId, name: envKey }));
  return { id, name, hint, createdAt, ...(revokedAt ? { revokedAt } : {}), environments: scope };
}
