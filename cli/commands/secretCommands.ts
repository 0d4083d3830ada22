import { type Command, Option } from 'commander';
import { SECRET_TYPES, type SecretType } from '../../shared/protocol/secret.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import type { Environment } from '../../shared/store/environments/environment.ts';
import type { RelayRecord } from '../../shared/store/environments/relay.ts';
import { SECRET_CACHE_MS } from '../../shared/store/environments/secretCache.ts';
import type { IssuedSecret, SecretRecord } from '../../shared/store/environments/secrets.ts';
import type { CommandMaker } from '../command.ts';
import { confirmOptions } from '../confirmProduction.ts';
import type { Line } from '../io.ts';
import { durationOrNone } from '../schedule.ts';
import type { Session } from '../session.ts';
import { formatTable } from '../text.ts';

/** `secret list|create|rotate|revoke`. */
export function addSecretCommands(program: Command, commands: CommandMaker): void {
  const secret = program.command('secret').description('SDK keys, with which SDKs connect');

  commands.add(secret, 'list', 'list the SDK keys of an environment, without their values', async (session) => {
    const environment = await session.environment();
    session.result(environment.secrets.map(withoutHash), secretTable(session, environment));
  });

  commands.add<{ type: SecretType }>(
    secret,
    'create <name>',
    'create an SDK key, and show it once',
    async (session, [name = ''], { type }) => {
      const { id } = await session.environmentToChange();
      reportIssued(session, await session.store.secrets.create(id, name, type));
    },
    [
      new Option('--type <type>', 'type of the SDKs that use it').choices(SECRET_TYPES).makeOptionMandatory(),
      ...confirmOptions(),
    ],
  );

  commands.add<{ grace: string }>(
    secret,
    'rotate <secret>',
    'replace an SDK key, by its name or id. The old one works until the grace period ends',
    async (session, [secretId = ''], { grace }) => {
      const { id } = await session.environmentToChange();
      const issued = await session.store.secrets.rotate(id, secretId, durationOrNone(grace));
      reportIssued(session, issued);
      session.note(`the old SDK key works for another ${grace}; replace it in your applications before then`);
    },
    [
      new Option('--grace <duration>', 'how long the old SDK key works: 30m, 24h, 7d, or 0').default('24h'),
      ...confirmOptions(),
    ],
  );

  commands.add(
    secret,
    'revoke <secret>',
    'revoke an SDK key now, by its name or id',
    async (session, [secretId = '']) => {
      const { id } = await session.environmentToChange();
      const { id: revokedId, name, revokedAt } = await session.store.secrets.revoke(id, secretId);
      session.result({ id: revokedId, revokedAt }, `✓ revoked SDK key "${name}"${session.where()}`);
      session.note(
        `new connections are refused within ${SECRET_CACHE_MS / 1000} seconds; open ones are closed within a minute (docs/operations/secrets.md)`,
      );
    },
    confirmOptions(),
  );
  addRelayCommands(program, commands);
}

/** A new secret with its value. The value is shown only once. */
export function issuedText({ record, value }: IssuedSecret): string {
  return `${record.type} key "${record.name}": ${value}   (shown only once; store it safely)`;
}

/** A secret as programs see it. */
export function withoutHash({ hash, ...shown }: SecretRecord): Omit<SecretRecord, 'hash'> {
  return shown;
}

/** A new secret with its value, for programs. */
export function issuedJson({ record: { id, name, type }, value }: IssuedSecret) {
  return { id, name, type, value };
}

/** An environment's secrets as the lines of a table. @param isInText as in {@link formatTable} */
export function secretTable(session: Session, { secrets }: Environment, isInText = false): Line[] {
  const rows = secrets.map((record) => [
    record.id,
    record.name,
    record.type,
    `${record.hint}…`,
    stateOf(session, record),
  ]);
  const head = ['id', 'name', 'type', 'first characters', 'state'];
  return formatTable(head, rows, 'this environment has no SDK keys', ['id'], isInText);
}

function stateOf({ store, time }: Session, { revokedAt }: Pick<SecretRecord, 'revokedAt'>): string {
  if (revokedAt === undefined) return 'active';
  const at = Date.parse(revokedAt);
  return `${at > store.effects.now() ? 'ends' : 'revoked'} ${time(at)}`;
}

function reportIssued({ result, where }: Session, issued: IssuedSecret): void {
  result(issuedJson(issued), [`✓ created an SDK key${where()}`, issuedText(issued)]);
}

/** `relay create|list|revoke`. */
function addRelayCommands(program: Command, commands: CommandMaker): void {
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

  commands.addGlobal(relay, 'list', 'list the relay keys, without their values', async (session) => {
    const all = await session.store.relays.list();
    const rows = all.map(({ id, name, hint, environments, revokedAt }) => [
      id,
      name,
      `${hint}…`,
      environments.map(({ envKey }) => envKey).join(', '),
      stateOf(session, revokedAt === undefined ? {} : { revokedAt }),
    ]);
    const empty = `there is no relay key; create one with: ${ownCommand('flags', 'relay create <name> <environments...>')}`;
    session.result(all.map(shown), formatTable(['id', 'name', 'begins', 'environments', 'state'], rows, empty));
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
