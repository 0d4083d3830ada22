import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { setTimeouts, until } from '../../../shared/testing/until.ts';
import { RawSocket } from '../../support/rawSocket.ts';
import { type EmulatedHost, startHost } from './emulated.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(180_000);
// Five thousand clients take longer than one.
setTimeouts({ condition: 60_000 });

const KEY = 'returns-true';

/** Pauses before connecting again, as SDKs make them but shorter, with as much chance in them. */
const BACK_OFF_MS = [50, 200, 800];

/** A client as light as can be that behaves as an SDK: it comes back after every break, with where it stands. */
class PatientClient {
  readonly #url: () => string;
  readonly #user: string;
  readonly #key: string;
  #socket: WebSocket | undefined;
  #attempt = 0;
  #isLeaving = false;
  /** Up to where it has everything, and the versions of the watched flag in the order in which they came. */
  cursor = 0;
  readonly seen: number[] = [];
  syncs = 0;
  /** True if it is connected and has its answer. */
  isInSync = false;

  /** @param key the flag whose versions it keeps */
  constructor(url: () => string, user: string, key: string) {
    this.#url = url;
    this.#user = user;
    this.#key = key;
    this.#connect();
  }

  leave(): void {
    this.#isLeaving = true;
    this.#socket?.terminate();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url(), { perMessageDeflate: false });
    this.#socket = socket;
    socket.on('open', () => {
      const user = { keyId: this.#user, name: this.#user, customizedProperties: [] };
      socket.send(JSON.stringify({ messageType: 'data-sync', data: { timestamp: this.cursor, user } }));
    });
    socket.on('message', (data) => this.#take(JSON.parse(String(data))));
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isInSync = false;
      if (this.#isLeaving) return;
      const pause = BACK_OFF_MS[Math.min(this.#attempt++, BACK_OFF_MS.length - 1)] as number;
      setTimeout(() => this.#connect(), pause * (0.5 + Math.random()));
    });
  }

  #take({
    messageType,
    data,
  }: {
    messageType: string;
    data: { featureFlags: { id: string; timestamp: number }[] };
  }): void {
    if (messageType !== 'data-sync') return;
    if (!this.isInSync) this.syncs++;
    this.isInSync = true;
    this.#attempt = 0;
    for (const { id, timestamp } of data.featureFlags) {
      this.cursor = Math.max(this.cursor, timestamp);
      if (id === this.#key && this.seen.at(-1) !== timestamp) this.seen.push(timestamp);
    }
  }
}

let host: EmulatedHost;
let clients: PatientClient[] = [];

beforeAll(async () => {
  host = await startHost();
});

afterAll(async () => {
  for (const client of clients) client.leave();
  await host.close();
});

const crowd = (workspace: Workspace, size: number) =>
  Array.from({ length: size }, (_, n) => new PatientClient(() => workspace.url('client'), `user-${n}`, KEY));
const allInSync = () =>
  until(
    () => clients.filter(({ isInSync }) => isInSync).length,
    (count) => count === clients.length,
  );
const versionOf = async (written: Promise<{ updatedAt: number }[]>) => (await written)[0]?.updatedAt ?? 0;
const metric = async (name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await (await fetch(`${host.httpUrl}/metrics`)).text())?.[1]);

test('five thousand clients whose host is killed have every change once, in order, also that of the outage', async () => {
  const workspace = await Workspace.create(host);
  clients = crowd(workspace, 5_000);
  await allInSync();
  const versions = [clients[0]?.seen[0] ?? 0, await versionOf(workspace.toggle(KEY))];
  await until(() => clients.every(({ cursor }) => cursor === versions[1]));

  await host.process.stop('SIGKILL');
  await until(() => clients.every(({ isInSync }) => !isInSync));
  versions.push(await versionOf(workspace.toggle(KEY)));
  await host.start();
  await allInSync();
  versions.push(await versionOf(workspace.toggle(KEY)));
  await until(() => clients.every(({ cursor }) => cursor === versions[3]));

  const different = clients.filter(({ seen }) => seen.join() !== versions.join());
  expect(different.map(({ seen }) => seen).slice(0, 3)).toEqual([]);
  for (const client of clients) client.leave();
});

test('ten thousand who come at once are all answered, while one who is there has its pings answered', async () => {
  const workspace = await Workspace.create(host);
  const steady = await RawSocket.open(workspace.url('client'));
  await steady.sync({ timestamp: 0, user: { keyId: 'steady' } });
  let [pings, pongs] = [0, 0];
  let isOver = false;
  const pinging = (async () => {
    while (!isOver) {
      pings++;
      steady.send({ messageType: 'ping', data: null });
      await steady.next();
      pongs++;
    }
  })();
  const reads = await metric('flagwire_table_reads_total');
  clients = crowd(workspace, 10_000);
  await allInSync();
  const pongsDuring = pongs;
  // All who wait while one reading is made share the next.
  expect((await metric('flagwire_table_reads_total')) - reads).toBeLessThan(1_000);
  isOver = true;
  await pinging;
  expect(pongsDuring).toBeGreaterThan(0);
  expect(pongs).toBe(pings);
  expect(clients.filter(({ syncs }) => syncs > 1)).toHaveLength(0);
  expect(await metric('flagwire_slow_consumers_dropped_total')).toBe(0);
  // Ten thousand and one, and no more than 40 KB for each of them on top of what the process is.
  expect(await metric('process_resident_memory_bytes')).toBeLessThan(560 * 1024 * 1024);
  const version = await versionOf(workspace.toggle(KEY));
  await until(() => clients.every(({ cursor }) => cursor === version));
  await steady.close();
});
