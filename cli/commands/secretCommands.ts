import { type Command, Option } from 'commander';
import { SECRET_TYPES, type SecretType } from '../../shared/protocol/secret.ts';
import type { Environment } from '../../shared/store/environments/environment.ts';
import { SECRET_CACHE_MS } from '../../shared/store/environments/secretCache.ts';
import type { IssuedSecret, SecretRecord } from '../../shared/store/environments/secrets.ts';
import type { CommandMaker } from '../command.ts';
import { confirmOptions } from '../confirmProduction.ts';
import { parseDuration } from '../duration.ts';
import type { Line } from '../io.ts';
import type { Session } from '../session.ts';
import { formatTable } from '../text.ts';

/** `secret list|create|rotate|revoke`. */
export function addSecretCommands(program: Command, commands: CommandMaker): void {
  const secret = program.command('secret').description('SDK keys, with which SDKs connect');

  commands.add(secret, 'list', 'list the SDK keys of an environment, without their values', async (session) => {
    const environment = await session.environment();
    session.result(environment.secrets.map(withoutHash), secretTable(environment, session.store.effects.now()));
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
      const issued = await session.store.secrets.rotate(id, secretId, parseDuration(grace));
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
      session.result({ id: revokedId, revokedAt }, `revoked SDK key "${name}" (${session.where()})`);
      session.note(
        `new connections are refused within ${SECRET_CACHE_MS / 1000} seconds; open ones are closed within a minute (docs/operations/secrets.md)`,
      );
    },
    confirmOptions(),
  );
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

/** An environment's secrets as the lines of a table. */
export function secretTable({ secrets }: Environment, now: number): Line[] {
  const rows = secrets.map((record) => [record.id, record.name, record.type, `${record.hint}…`, stateOf(record, now)]);
  return formatTable(['id', 'name', 'type', 'first characters', 'state'], rows, 'this environment has no SDK keys', [
    'id',
  ]);
}

function stateOf({ revokedAt }: SecretRecord, now: number): string {
  if (revokedAt === undefined) return 'active';
  return Date.parse(revokedAt) > now ? `ends ${revokedAt}` : `revoked ${revokedAt}`;
}

function reportIssued({ result, where }: Session, issued: IssuedSecret): void {
  result(issuedJson(issued), [issuedText(issued), `(${where()})`]);
}
