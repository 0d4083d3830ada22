import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shardOf } from '../shared/store/connections/connection.ts';
import { recordServiceTables } from '../shared/store/table/serviceTables.ts';
import { connect } from '../shared/store/testing/connect.ts';
import { type TestStore, testSystemEffects } from '../shared/store/testing/testTables.ts';
import { TestCli } from './testing/cli.ts';

let cli: TestCli;
let service: TestStore;
let envId = '';

beforeAll(async () => {
  cli = await TestCli.start();
  envId = (await cli.run('env', 'create', 'bench', '--json')).json.id;
  await cli.run('create', 'a');
});
afterAll(() => cli.close());

/** The version of the environment. */
const newest = async () => Date.parse((await cli.run('history', '--json')).json[0].version);

/** An output without what differs between two moments. */
const words = (output: string) => output.replaceAll(/[\d.]+/g, '0');

/** Delivers a version to the shard of the connection. */
const deliver = (version: number) =>
  service.connections.shards.markServed(envId, shardOf('c'), version, [{ version, at: version + 10, left: 0 }]);

test('a command that cannot wait changes nothing', async () => {
  const before = await newest();
  const { code, err } = await cli.run('toggle', 'a', '--wait');
  expect([code, err]).toEqual([1, expect.stringContaining('has not recorded its connections table')]);
  expect((await cli.run('off', 'a', '--at', '+1h', '--wait')).err).toBe(
    'error: --wait is for a change that is made now; remove --at',
  );
  expect((await cli.run('toggle', 'a', '--wait', '--timeout', 'soon')).code).toBe(2);
  expect((await cli.run('plan', 'create', 'a', '--variation', 'true', '--step', '1%@now', '--wait')).code).toBe(2);
  expect(await newest()).toBe(before);
  service = await cli.openService();
});

test('a change that all connections have exits with 0', async () => {
  await connect(
    service.connections,
    envId,
    { id: 'c', type: 'server', requestedAt: Date.now() - 60_000 },
    await newest(),
  );
  await deliver(await newest());
  const before = await newest();
  cli.typed = '';
  const toggled = cli.run('toggle', 'a', '--wait');
  while ((await newest()) === before);
  await deliver(await newest());
  const { code, out, err } = await toggled;
  cli.typed = undefined;
  expect(out.split('\n').at(-1)).toMatch(/^live on 1 of 1 SDK in [\d.]+ m?s$/);
  expect([code, ...err.split('\n').filter((line) => line !== 'live on 0 of 1 SDK')].filter(Boolean)).toEqual([]);
});

test('the picture of README shows what its command prints', async () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
  const picture = read('docs/images/flip.svg');
  const [, command = ''] = /class="cmd".*\/tspan> (.*?)</.exec(picture) ?? [];
  expect(read('README.md')).toContain(`\n${command} `);
  const before = await newest();
  cli.typed = '';
  const toggled = cli.run('toggle', 'a');
  while ((await newest()) === before);
  await deliver(await newest());
  const { out } = await toggled;
  cli.typed = undefined;
  const drawn = [...picture.matchAll(/class="new out".*?>(.*?)</g)].map(([, line]) => line);
  expect(words(drawn.join(' '))).toBe(
    words(
      out.replace('a is off in bench', 'new-checkout is off in development').replace('1 of 1 SDK', '3 of 3 SDKs'),
    ).replace(/ ms$/, ' s'),
  );
});

test('exits with 1 at the timeout, and names who is behind', async () => {
  const { code, out, err } = await cli.run('toggle', 'a', '--wait', '--timeout', '0');
  expect(out.split('\n').slice(1)).toEqual(['live on 0 of 1 SDK', 'behind: 1 push pending (c)']);
  expect([code, err]).toEqual([
    1,
    'after 0, not all connections are known to have the change; `push-status` shows them later',
  ]);
});

test('has the receipts in the result with --json', async () => {
  const { code, json } = await cli.run('segment', 'create', 'vip', '--wait', '--timeout', '0', '--json');
  const version = new Date(await newest()).toISOString();
  expect([code, json]).toMatchObject([1, { changes: [{}], receipts: [{ version, handed: 0, behindIds: ['c'] }] }]);
  await deliver(await newest());
  expect(await cli.run('push-status', '--wait', '--json')).toMatchObject({ code: 0, json: { version, handed: 1 } });
});

test('a change is reported as made if the connections cannot be read', async () => {
  const { client, flags: name } = service.tables;
  await recordServiceTables({ client, name, effects: testSystemEffects }, { connections: 'gone' });
  const before = await newest();
  const { code, err, json } = await cli.run('toggle', 'a', '--wait', '--json');
  expect([code, json.changes.length]).toEqual([1, 1]);
  expect(err).toContain('the change is made, but the connections that have it are not known: ');
  expect(await newest()).toBeGreaterThan(before);
});
