import { afterEach, expect, test } from '@jest/globals';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { until } from '../../shared/testing/until.ts';
import type { LiveEvent, LiveLine, LiveState } from '../live.ts';
import { aConsole } from '../testing/console.ts';
import { ConnectionRegistry } from './connectionRegistry.ts';
import { RollingCounters } from './rollingCounters.ts';
import { RecentEventLog, TrafficFeed } from './trafficFeed.ts';

useTables();

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

let count = 0;
async function aFeed() {
  const { store } = aConsole();
  const { id } = (await store.environments.create(`feed ${++count}`)).environment;
  const feed = new TrafficFeed(store);
  const lines: LiveLine[] = [];
  const follow = () => {
    const end = feed.follow(id, (line) => lines.push(line));
    ends.push(end);
    return end;
  };
  const states = () => lines.filter((line): line is LiveState => line.type === 'state');
  return { store, id, feed, lines, follow, states };
}

const at = Date.now();
const opened = (connection: string, kind: 'client' | 'server' | 'relay', sdk = 'sdk/1'): LiveEvent => ({
  type: 'opened',
  at,
  connection,
  kind,
  sdk,
});
const closed = (connection: string): LiveEvent => ({
  ...(opened(connection, 'client') as Extract<LiveEvent, { type: 'opened' }>),
  type: 'closed',
  afterMs: 5,
  code: 1000,
});

test('first tells who is connected to the environment, by type and SDK', async () => {
  const { id, feed, follow, lines } = await aFeed();
  feed.tell(opened('a', 'client', 'a browser'), [id]);
  feed.tell(opened('b', 'server'), [id]);
  feed.tell(opened('c', 'relay'), ['other', id]);
  feed.tell(opened('d', 'server'), ['other']);
  feed.tell(opened('e', 'server'), [id]);
  feed.tell(closed('e'), [id]);
  follow();
  expect(lines[0]).toMatchObject({
    type: 'state',
    source: 'traffic',
    connections: {
      total: 3,
      isAtLeast: false,
      byType: { client: 1, server: 1, relay: 1 },
    },
    recent: { opened: 4 },
  });
});

test('tells events of the environment and of none, but not those of others', async () => {
  const { id, feed, follow, lines } = await aFeed();
  const end = follow();
  feed.tell(opened('a', 'client'), [id]);
  feed.tell(opened('b', 'client'), ['other']);
  feed.tell({ type: 'refused', at, status: 403 }, []);
  end();
  feed.tell(opened('c', 'client'), [id]);
  expect(lines.filter(({ type }) => type === 'opened' || type === 'refused')).toEqual([
    opened('a', 'client'),
    { type: 'refused', at, status: 403 },
  ]);
});

test('a page that opens later is shown the last 200 events there, and no others', async () => {
  const { id, feed, follow, lines } = await aFeed();
  for (let n = 0; n < 250; n++) feed.tell({ ...opened(`c${n}`, 'client'), at: at + n }, [id]);
  feed.tell({ ...opened('other', 'client'), at: at + 300 }, ['other']);
  feed.tell({ type: 'refused', at: at + 249.5, status: 403 }, []);
  follow();
  const recent = lines.find((line) => line.type === 'recent');
  expect(recent?.events).toHaveLength(200);
  expect(recent?.events.at(-1)).toEqual({ type: 'refused', at: at + 249.5, status: 403 });
  expect(recent?.events[0]).toMatchObject({ connection: 'c51' });
});

test('lists connections with user and last data-sync, newest first, after each change', async () => {
  const { id, feed, follow, lines } = await aFeed();
  const lists = () => lines.filter((line) => line.type === 'connections');
  feed.tell(opened('a', 'server', ''), [id]);
  feed.tell(opened('other', 'client'), ['other']);
  feed.tell({ ...opened('b', 'client'), at: at + 1 }, [id]);
  feed.tell({ type: 'sync', at: at + 2, connection: 'b', user: 'u1', flags: 1, segments: 0, ms: 3 }, [id]);
  follow();
  const b = { connection: 'b', kind: 'client', sdk: 'sdk/1', since: at + 1, user: 'u1', syncedAt: at + 2 };
  const a = { connection: 'a', kind: 'server', sdk: '', since: at, user: '' };
  await until(() => lists().length === 1);
  expect(lists()[0]).toEqual({ type: 'connections', connections: [b, a] });
  feed.tell(closed('a'), [id]);
  await until(() => lists().length === 2);
  expect(lists()[1]).toEqual({ type: 'connections', connections: [b] });
});

test('connections and environments that are kept are bounded', () => {
  const open = new ConnectionRegistry();
  for (let n = 0; n < 600; n++) open.add(opened(`c${n}`, 'client'), ['e']);
  expect(open.list('e')).toHaveLength(500);
  expect(open.list('e')[0]).toMatchObject({ connection: 'c599' });
  const recent = new RecentEventLog();
  for (let n = 0; n < 101; n++) recent.add(opened('c', 'client'), [`e${n}`]);
  expect([recent.of('e0').length, recent.of('e1').length]).toEqual([0, 1]);
});

test('sends the version of each change, of all authors', async () => {
  const { store, id, follow, lines, states } = await aFeed();
  follow();
  const [written] = await store.documents.writeFlag(id, 'f', () => aFlag({ key: 'f' }));
  await until(() => lines.some((line) => line.type === 'version' && line.version === written?.updatedAt));
  await until(() => states().length > 1);
  expect(states().at(-1)).toMatchObject({ connections: { total: 0 } });
});

test('sums are of the last ten minutes, or since the start, in bounded memory', () => {
  const begin = 600_000 * 1_000;
  const sums = new RollingCounters(begin);
  const sync = (time: number, ms: number): LiveEvent => ({
    type: 'sync',
    at: time,
    connection: 'a',
    user: '',
    flags: 1,
    segments: 0,
    ms,
  });
  for (let n = 0; n < 5_000; n++) sums.add(sync(begin + 1, n < 80 ? 1 : 9));
  sums.add({ type: 'push', at: begin + 2, document: 'f', version: 1, reached: 7, ms: 30 });
  expect(sums.read(begin + 1_000)).toEqual({
    windowMs: 1_000,
    opened: 0,
    syncs: 5_000,
    pushed: 7,
    syncMsP95: 9,
    pushMsP95: 30,
  });
  expect(sums.read(begin + 3_600_000)).toEqual({ windowMs: 600_000, opened: 0, syncs: 0, pushed: 0 });
});

test('counts connections and pushes in steps of ten seconds, for ten minutes', () => {
  const begin = 600_000 * 1_000;
  const sums = new RollingCounters(begin);
  sums.add({ ...opened('a', 'client'), at: begin });
  sums.add({ ...opened('b', 'client'), at: begin + 11_000 });
  sums.add({ type: 'push', at: begin + 12_000, document: 'f', version: 1, reached: 2, ms: 30 });
  sums.add({ ...closed('a'), at: begin + 21_000 });
  expect(sums.steps(begin + 25_000, 1)).toEqual([
    { at: begin, connections: 1, pushed: 0 },
    { at: begin + 10_000, connections: 2, pushed: 2 },
    { at: begin + 20_000, connections: 1, pushed: 0 },
  ]);
  const later = sums.steps(begin + 3_600_000, 1);
  expect([later.length, later[0]]).toEqual([61, { at: begin + 3_000_000, connections: 1, pushed: 0 }]);
});
