import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../dev/support/freePort.ts';
import { type CommandLine, RunningProcess } from '../../../dev/support/runningProcess.ts';
import { GENERATOR_CORE } from '../../machine/pinned.ts';

/** One environment of FeatBit. */
export interface FeatBitData {
  readonly envId: string;
  /** Its client key. */
  readonly key: string;
  readonly flags: readonly ({ readonly id: string; readonly updatedAt: string } & Readonly<Record<string, unknown>>)[];
}

/** The programs of Debian's package postgresql. Undefined if it is not installed. */
export const POSTGRES = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1);

/** Starts a store on the core of the load generator, waits until `probe` does not throw, and fills it. After an error it is stopped. */
async function startStore(command: CommandLine, probe: () => unknown, fill: () => void): Promise<RunningProcess> {
  const store = new RunningProcess(command, { core: GENERATOR_CORE });
  const filled = store.ready(() => probe() !== undefined).then(fill);
  await filled.catch((error) => store.stop('SIGQUIT').then(() => Promise.reject(error)));
  return store;
}

/** Starts PostgreSQL with an environment. @param sql folder of FeatBit's SQL files @returns FeatBit's settings for it */
export async function startPostgres({ envId, key, flags }: FeatBitData, sql: string) {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-postgres-'));
  const port = String(await freePort());
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL refuses to run as root.
  const asUser = (name: string, ...args: string[]): CommandLine => {
    const command: CommandLine = [join(POSTGRES ?? '', name), ...args];
    return isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command] : command;
  };
  const run = ([file, ...args]: CommandLine, input = '') => execFileSync(file, args, { input, stdio: 'pipe' });
  const psql = (input: string, ...args: string[]) =>
    run(['psql', '-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-qv', 'ON_ERROR_STOP=1', ...args], input);
  const now = new Date().toISOString();
  const secrets = [{ id: envId, name: 'client', type: 'client', value: key }];
  const row = { id: envId, key: 'bench', name: 'bench', settings: {}, secrets, createdAt: now, updatedAt: now };
  const ids = { workspaceId: envId, organizationId: envId, projectId: envId };
  const owner = { ...row, ...ids, initialized: true, defaultPermissions: {} };
  const inserts = [
    ...['organizations', 'projects', 'environments'].map((table) => insertInto(table, owner)),
    ...flags.map((flag) => insertInto('feature_flags', { ...flag, envId, revision: flag.id })),
  ];
  const fill = () => {
    for (const file of globSync(join(sql, '*.sql')).toSorted()) psql('', '-f', file);
    psql(inserts.join('\n'), '-d', 'featbit');
  };
  const remove = () => rmSync(directory, { recursive: true });
  const begin = async () => {
    if (isRoot) run(['chown', 'postgres', directory]);
    run(asUser('initdb', '-D', directory, '-U', 'postgres', '--auth=trust', '--no-sync'));
    return startStore(asUser('postgres', '-D', directory, '-p', port, '-k', ''), () => psql('select 1;'), fill);
  };
  const server = await begin().catch((error) => Promise.reject(error).finally(remove));
  return {
    settings: { Postgres__ConnectionString: `Host=127.0.0.1;Port=${port};Username=postgres;Database=featbit` },
    stop: () => server.stop('SIGQUIT').then(remove),
  };
}

/** SQL that inserts a row. Fields that are no columns are left out. */
function insertInto(table: string, row: object): string {
  const columns = Object.entries(row).map(([name, value]) => [name.replaceAll(/[A-Z]/g, '_$&').toLowerCase(), value]);
  const json = JSON.stringify(Object.fromEntries(columns));
  return `insert into ${table} select * from json_populate_record(null::${table}, $json$${json}$json$);`;
}

/** Starts Redis with the keys that FeatBit's API server writes for an environment. @returns FeatBit's settings for it */
export async function startRedis({ envId, key, flags }: FeatBitData) {
  const port = String(await freePort());
  const cli = (input: string, ...args: string[]) =>
    execFileSync('redis-cli', ['-p', port, ...args], { input, stdio: 'pipe' });
  const command = ['redis-server', '--port', port, '--save', '', '--appendonly', 'no'] as const;
  const secret = { type: 'client', projectKey: 'bench', envId, envKey: 'bench' };
  const fill = () => {
    cli('', 'hset', `featbit:secret:${key}`, ...Object.entries(secret).flat());
    for (const flag of flags) {
      cli(JSON.stringify({ ...flag, envId }), '-x', 'set', `featbit:flag:${flag.id}`);
      cli('', 'zadd', `featbit:flag-index:${envId}`, String(Date.parse(flag.updatedAt)), flag.id);
    }
  };
  const server = await startStore([...command], () => cli('', 'ping'), fill);
  return { settings: { Redis__ConnectionString: `127.0.0.1:${port}` }, stop: () => server.stop() };
}
