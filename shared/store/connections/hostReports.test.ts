import { beforeEach, expect, test } from '@jest/globals';
import { store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { HOST_LEASE_MS, type HostReport, HostReports } from './hostReports.ts';
import { isComplete, readReceipt } from './receipt.ts';
import { liveText, receiptLines } from './receiptText.ts';

const AT = Date.UTC(2024, 0, 1, 12);
const effects = testEffects(AT);
let envId = '';
let reports: HostReports;

useStore(effects);
beforeEach(() => {
  effects.clock.now = AT;
  envId = effects.uuid();
  reports = new HostReports({ client: store.tables.client, name: store.tables.connections, effects });
});

const host = (id = 'a', owner = 'o') => ({ id, owner });
const report = (fields: Partial<HostReport> = {}): HostReport => ({
  open: 5,
  servedTo: AT - 10,
  served: 5,
  newest: AT + 10,
  behind: 2,
  rounds: [{ version: AT - 10, at: AT + 700, left: 0 }],
  ...fields,
});
const write = (fields: Partial<HostReport> = {}, id = 'a', isFirst = true) =>
  reports.write(envId, host(id), report(fields), isFirst);
const written = (version: number) => ({ change: version, version, at: AT });
const read = (version: number) => readReceipt(store.connections, store.hosts, envId, written(version));

test('a receipt counts the connections of hosts by the versions of their reports', async () => {
  await write();
  expect(await read(AT - 10)).toMatchObject({ handed: 5, behind: {}, lastAt: AT + 700 });
  expect(await read(AT)).toMatchObject({ handed: 3, behind: { onHost: 2 } });
  expect(await read(AT + 11)).toMatchObject({ handed: 0, behind: { onHost: 5 } });
  expect(receiptLines(written(AT), await read(AT))).toEqual([
    'live on 3 of 5 SDKs',
    'behind: 2 not reported by a host yet',
  ]);
});

test('a host without connections before the version is unknown', async () => {
  await write({ open: 0, served: 0, behind: 0 });
  expect(await read(AT)).toMatchObject({ handed: 0, unknownHosts: [] });
  expect(await read(AT + 11)).toMatchObject({ handed: 0, unknownHosts: ['a'] });
});

test('a host whose lease has ended is unknown for a day', async () => {
  await write();
  await write({}, 'b');
  effects.clock.now += HOST_LEASE_MS;
  const receipt = await read(AT - 10);
  expect([isComplete(receipt), receipt]).toMatchObject([false, { handed: 0, unknownHosts: ['a', 'b'] }]);
  expect(liveText({ at: 0 }, receipt)).toBe('live on 0 of 0 SDKs, unknown on 2 hosts');
  expect(liveText({ at: 0 }, { handed: 0, behind: {}, unknownHosts: [] })).toBe('');
  expect(receiptLines({ at: 0 }, receipt)).toEqual([
    'live on 0 of 0 SDKs, unknown on 2 hosts',
    expect.stringMatching(/^unknown: a, b\. These hosts have not reported/),
  ]);
  effects.clock.now += 24 * 3_600_000;
  expect(isComplete(await read(AT - 10))).toBe(true);
});

test('a noted host is unknown without a report, which is no success', async () => {
  await store.hosts.write(host('noted'));
  const receipt = await read(AT);
  expect([isComplete(receipt), receipt]).toMatchObject([false, { handed: 0, unknownHosts: ['noted'] }]);
  await store.hosts.remove(host('noted', 'other'));
  expect((await read(AT)).unknownHosts).toEqual(['noted']);
  await store.hosts.remove(host('noted'));
  expect(isComplete(await read(AT))).toBe(true);
});

test('a host is forgotten once it has ended, and not before', async () => {
  await write();
  await store.hosts.write(host());
  const forget = async () => [await reports.forget(envId, 'a'), await store.hosts.forget('a')];
  expect(await forget()).toEqual([false, false]);
  effects.clock.now += HOST_LEASE_MS;
  expect((await read(AT)).unknownHosts).toEqual(['a']);
  expect([await forget(), await forget()]).toEqual([
    [true, true],
    [true, true],
  ]);
  expect(isComplete(await read(AT))).toBe(true);
});

test('a report replaces that of another process only at its start', async () => {
  await write();
  expect(await reports.write(envId, host('a', 'other'), report(), false)).toBeUndefined();
  expect(await reports.write(envId, host('a', 'other'), report({ open: 1 }), true)).toBe(AT + HOST_LEASE_MS);
  expect(await reports.load(envId)).toMatchObject([{ id: 'a', report: { open: 1 } }]);
});

test('a late removal removes no later report, and no report of another process', async () => {
  const first = await write();
  effects.clock.now += 1;
  const second = await write({}, 'a', false);
  await reports.remove(envId, host(), first ?? 0);
  await reports.remove(envId, host('a', 'other'), second ?? 0);
  await reports.removeFormer(envId, host());
  expect(await reports.load(envId)).toHaveLength(1);
  await reports.remove(envId, host(), second ?? 0);
  expect(await reports.load(envId)).toEqual([]);
});
