import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { envIdOfSecret } from '../../../../shared/protocol/secret.ts';
import flags from '../../../../shared/reference-data/flags.json' with { type: 'json' };
import { type FeatBitData, POSTGRES, startPostgres, startRedis } from '../featbitStores.ts';
import { ONE_FLAG, type Peer, USER } from '../peer.ts';
import { startProgram, whyMissing } from '../program.ts';
import { makeDocuments } from './flagwire.ts';

/** The folder that `dotnet publish` wrote. */
const folder = process.env['FEATBIT_SERVER'] ?? '/usr/local/lib/featbit';
/** The client key of FeatBit's store in memory. The other stores get it, too. */
const KEY = 'gpnOV3wI3kKAO9q9viC0wQWdKZrVAf2U6gAnxl4lSH3w';

/** Its stores: in memory as in FeatBit's integration tests, Redis before PostgreSQL, and PostgreSQL as in its docker-compose.yml. */
const STORES = {
  memory: { DbProvider: 'Fake', CacheProvider: 'None', MqProvider: 'None' },
  Redis: { DbProvider: 'Postgres', CacheProvider: 'Redis', MqProvider: 'Redis' },
  PostgreSQL: { DbProvider: 'Postgres', CacheProvider: 'None', MqProvider: 'Postgres' },
} as const;
type StoreName = keyof typeof STORES;

const QUIET = { Logging__MinimumLevel__Default: 'Error', Streaming__TrackClientHostName: 'false' };

/** FeatBit's evaluation server, with each of its stores. */
export const featbit = (Object.keys(STORES) as StoreName[]).map(
  (store): Peer => ({
    entry: `featbit-${store.toLowerCase()}`,
    name: `FeatBit, ${store}`,
    role: 'peer',
    missing: () => {
      if (!existsSync(join(folder, 'Api')))
        return `${folder} has no Api: build it, or set FEATBIT_SERVER to its folder`;
      if (store !== 'memory' && POSTGRES === undefined)
        return 'PostgreSQL is not there: install the package postgresql';
      return store === 'Redis' ? whyMissing('redis-server', 'PATH') : undefined;
    },
    start: (_, count) => start(store, count),
  }),
);

async function start(store: StoreName, count: number) {
  const repeated = makeDocuments(count).map(({ document }, n) => {
    // The store in memory finds flags by their times.
    const updatedAt = new Date(Date.UTC(2026, 0, 1) + n).toISOString();
    return { ...flags[0], ...document, id: randomUUID(), updatedAt };
  });
  const data: FeatBitData = { envId: envIdOfSecret(KEY) ?? '', key: KEY, flags: repeated };
  const stores: Awaited<ReturnType<typeof startPostgres | typeof startRedis>>[] = [];
  const stopStores = () => Promise.all(stores.map(({ stop }) => stop()));
  const command = (file: string, port: number) => {
    const copy = join(dirname(file), 'server');
    cpSync(folder, copy, { recursive: true });
    cpSync(file, join(copy, 'Fakes', 'flags.json'));
    const settings = Object.assign({ ASPNETCORE_URLS: `http://0.0.0.0:${port}` }, QUIET, STORES[store]);
    const all = Object.entries(Object.assign(settings, ...stores.map((each) => each.settings)));
    return ['env', '-C', copy, ...all.map(([name, value]) => `${name}=${value}`), join(copy, 'Api')] as const;
  };
  const startAll = async () => {
    if (store !== 'memory') stores.push(await startPostgres(data, join(folder, 'sql')));
    if (store === 'Redis') stores.push(await startRedis(data));
    return startProgram(command, data.flags, '/health/liveness');
  };
  const server = await startAll().catch((error) => stopStores().then(() => Promise.reject(error)));
  const all = {
    path: '/api/public/featureflag/evaluate',
    headers: { authorization: KEY },
    body: { user: { keyId: USER, name: 'user' } },
  };
  const one = { ...all, body: { ...all.body, filter: { keys: [ONE_FLAG] } } };
  return {
    ...server,
    stop: () => server.stop().then(stopStores),
    version: readFileSync(join(folder, 'version'), 'utf8').trim(),
    target: { ...server.target, key: KEY, flags: count },
    client: { kind: 'featbit' },
    all,
    one,
    readTrue: (answer: unknown) =>
      (answer as Evaluation[]).filter(({ variation }) => variation.value === 'true').map(({ key }) => key),
  } as const;
}

type Evaluation = { readonly key: string; readonly variation: { readonly value: string } };
