import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type AttributeValue, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RawSocket } from '../../../dev/support/rawSocket.ts';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { SECRET_CACHE_MS } from '../../../shared/store/environments/secretCache.ts';
import { hashSecret } from '../../../shared/store/table/keys.ts';
import { aFlag, aSegment } from '../../../shared/testing/builders.ts';
import { until } from '../../../shared/testing/until.ts';
import { output, service, useService } from '../../testing/fixture.ts';
import { dataSync, snapshotsOf } from '../../testing/service.ts';
import { startTestHost } from '../testing/host.ts';
import { LastKnownState } from './lastKnownState.ts';

useService();

let directory: string;
let isDown: boolean;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-kept-'));
  isDown = false;
});
afterEach(() => rmSync(directory, { recursive: true }));

const put = (key: string, name: string) =>
  service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, name }));

/** The directory as one process uses it. */
const open = () => new LastKnownState(directory, 'empty', service.effects.now);
const environmentFiles = () => readdirSync(join(directory, 'environments'));

/** A host with that directory, as a new process. */
const start = () => startTestHost(() => isDown, { settings: { drainMs: 10 }, lastKnown: open() });

const read = () => snapshotsOf(service).read(service.envId);
/** The name of the only saved flag. */
const nameKept = (kept: LastKnownState) => kept.reading(service.envId)?.snapshot.flags[0]?.document.name;

/** Connects as a server, and returns its messages in order. */
async function sync(port: number, key = service.secrets.server.value) {
  const token = encodeToken(key, service.effects.now(), 7);
  const client = await RawSocket.open(`ws://127.0.0.1:${port}/streaming?type=server&token=${token}`);
  const { texts, closed } = client;
  let code: number | undefined;
  void closed.then((event) => {
    code = event.code;
  });
  client.send(dataSync(0));
  const next = async (count: number) => {
    while (texts.length < count && code === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    return texts[count - 1] === undefined ? code : JSON.parse(texts[count - 1] ?? '').data;
  };
  return { next };
}

describe('a host that is started while the table is down', () => {
  test('serves what an earlier one knew, and then what was written meanwhile', async () => {
    await put('f', '1');
    await service.store.documents.writeSegment(service.envId, 's', () => aSegment({ id: 's' }));
    const first = await start();
    await (await sync(first.port)).next(1);
    await first.stop();

    isDown = true;
    const second = await start();
    expect((await fetch(`http://127.0.0.1:${second.port}/health/readiness`)).status).toBe(200);
    const { next } = await sync(second.port);
    expect(await next(1)).toMatchObject({ featureFlags: [{ key: 'f', name: '1' }], segments: [{ id: 's' }] });
    await put('f', '2');
    await put('f', '3');
    isDown = false;
    expect(await next(2)).toMatchObject({ eventType: 'patch', featureFlags: [{ name: '2' }] });
    expect(await next(3)).toMatchObject({ featureFlags: [{ name: '3' }] });
    await second.stop();
  });

  test.each([true, false])(
    'serves what a restored table has, and saves it (down at the start: %j)',
    async (isDownFirst) => {
      const { client, flags: TableName } = service.store.tables;
      await put('f', 'before');
      const backup: Record<string, AttributeValue>[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName })) backup.push(...Items);
      await put('f', 'after');
      const first = await start();
      await (await sync(first.port)).next(1);
      await first.stop();
      expect(nameKept(open())).toBe('after');

      isDown = isDownFirst;
      const second = await start();
      // Otherwise its first read might be of the restored table, within the seconds in which another process may be ahead.
      expect(await (await sync(second.port)).next(1)).toMatchObject({ featureFlags: [{ name: 'after' }] });
      for (const Item of backup) await client.send(new PutItemCommand({ TableName, Item }));
      isDown = false;
      await until(async () => {
        const [flag] = (await (await sync(second.port)).next(1)).featureFlags ?? [];
        return flag?.name === 'before';
      });
      // A reply may come from a read of its own, before the host follows the table back.
      await until(() => nameKept(open()) === 'before');
      await second.stop();
      expect([nameKept(open()), environmentFiles().length]).toEqual(['before', 1]);
    },
  );

  test('lets in only whom the earlier one let in', async () => {
    const first = await start();
    await (await sync(first.port)).next(1);
    await first.stop();
    isDown = true;
    const second = await start();
    const stranger = service.secrets.client.value;
    expect(await (await sync(second.port, stranger)).next(1)).toBe(1011);
    await second.stop();
  });

  test('refuses a secret whose end came while it was down', async () => {
    const first = await start();
    await (await sync(first.port)).next(1);
    const { store, effects, envId, secrets } = service;
    await store.secrets.rotate(envId, secrets.server.record.id, 60_000);
    effects.clock.now += SECRET_CACHE_MS;
    await (await sync(first.port)).next(1);
    await first.stop();

    isDown = true;
    const second = await start();
    expect(await (await sync(second.port)).next(1)).toMatchObject({ eventType: 'full' });
    effects.clock.now += 60_000;
    expect(await (await sync(second.port)).next(1)).toBe(4003);
    await second.stop();
  });

  test('is not ready if it knows nothing', async () => {
    isDown = true;
    const host = await start();
    expect((await fetch(`http://127.0.0.1:${host.port}/health/readiness`)).status).toBe(503);
    await host.stop();
  });
});

describe('the kept state', () => {
  test('is for its owner only, and holds no secret', async () => {
    const host = await start();
    await (await sync(host.port)).next(1);
    await host.stop();
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ parentPath, name }) => relative(directory, join(parentPath, name))).toSorted()).toEqual([
      `environments/${service.envId}.0.json`,
      `secrets/${hashSecret(service.secrets.server.value)}.json`,
    ]);
    for (const { parentPath, name } of files) {
      expect(statSync(join(parentPath, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(service.secrets.server.value);
    }
  });

  test('is one file an environment, of the newest version', async () => {
    const kept = open();
    for (const name of ['1', '2', '3']) {
      await put('f', name);
      kept.save(service.envId, await read());
      await kept.flushed();
    }
    expect(environmentFiles()).toHaveLength(1);
    expect(nameKept(kept)).toBe('3');
  });

  test('is of an older version if the newer one was saved long before', async () => {
    await put('f', 'before');
    const before = await read();
    await put('f', 'after');
    for (const [laterMs, name] of [
      [9_000, 'after'],
      [11_000, 'before'],
    ] as const) {
      const other = open();
      other.save(service.envId, await read());
      await other.flushed();
      const kept = new LastKnownState(directory, 'empty', () => Date.now() + laterMs);
      await kept.flushed();
      kept.save(service.envId, before);
      await kept.flushed();
      expect([nameKept(kept), environmentFiles().length]).toEqual([name, 1]);
    }
  });

  test('is deleted with its environment, but not if it was written during the list', async () => {
    await put('f', '1');
    const kept = open();
    const [gone, added] = [crypto.randomUUID(), crypto.randomUUID()];
    const reading = await read();
    for (const envId of [gone, service.envId]) kept.save(envId, reading);
    await kept.flushed();
    const list = kept.tidying(async () => {
      kept.save(added, reading);
      await kept.flushed();
      return [service.envId];
    });
    expect(await list()).toEqual([service.envId]);
    await kept.flushed();
    expect(
      environmentFiles()
        .map((name) => name.slice(0, 36))
        .toSorted(),
    ).toEqual([service.envId, added].toSorted());
  });
});

describe('a kept file', () => {
  /** Saves an environment with one flag, and changes the file's text. */
  async function damage(change: (text: string) => string): Promise<void> {
    await put('f', '1');
    const kept = open();
    kept.save(service.envId, await read());
    await kept.flushed();
    const path = join(directory, 'environments', environmentFiles()[0] ?? '');
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  }
  const json = (change: (content: Record<string, unknown>) => unknown) => (text: string) =>
    JSON.stringify(change(JSON.parse(text)));

  test.each<[string, (text: string) => string]>([
    ['was cut off', (text) => text.slice(0, 100)],
    ['is empty', () => ''],
    ['is a number', () => '7'],
    ['is an object without anything', () => '{}'],
    ['has no flags', json(({ flags, ...rest }) => rest)],
    ['has flags that are no list', json((content) => ({ ...content, flags: { length: 1 } }))],
    ['has no version', json(({ version, ...rest }) => rest)],
    ['has a version that is text', json((content) => ({ ...content, version: { updatedAt: 'x' } }))],
    ['has another version than its name', json((content) => ({ ...content, version: { updatedAt: 1e15 } }))],
    ['is of another environment', json((content) => ({ ...content, envId: 'other' }))],
    ['has a flag that is none', json((content) => ({ ...content, flags: [null] }))],
    ['has a segment that is none', json((content) => ({ ...content, segments: [{ id: 7 }] }))],
  ])('counts as none if it %s, and shuts nobody out', async (_, change) => {
    await damage(change);
    expect([open().knowsAny, open().reading(service.envId)]).toEqual([false, undefined]);
    const told = output.lines().filter(({ message }) => message === 'state file is invalid and was renamed');
    expect(told).toHaveLength(1);
    const host = await start();
    expect(await (await sync(host.port)).next(1)).toMatchObject({ featureFlags: [{ name: '1' }] });
    await host.stop();
    expect(nameKept(open())).toBe('1');
  });

  test('makes no host ready if it cannot be used', async () => {
    await damage(() => '{}');
    isDown = true;
    const host = await start();
    expect((await fetch(`http://127.0.0.1:${host.port}/health/readiness`)).status).toBe(503);
    await host.stop();
  });

  test('is read by the newest version, in any order of names', async () => {
    await damage((text) => text);
    const folder = join(directory, 'environments');
    const [name = ''] = environmentFiles();
    const content = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const versions = [...Array(10).keys()].flatMap((n) => [n, 100 - n]);
    for (const updatedAt of versions) {
      const flags = [{ ...content.flags[0], name: String(updatedAt) }];
      const version = { ...content.version, updatedAt };
      writeFileSync(join(folder, `${service.envId}.${updatedAt}.json`), JSON.stringify({ ...content, version, flags }));
    }
    rmSync(join(folder, name));
    expect(nameKept(open())).toBe('100');
  });

  test('is replaced by an older one that can be used', async () => {
    await damage((text) => text);
    const newer = join(directory, 'environments', `${service.envId}.${'9'.repeat(15)}.json`);
    writeFileSync(newer, '{}');
    expect(nameKept(open())).toBe('1');
  });
});

test('a directory that cannot be written any more is no reason to serve nobody', async () => {
  await put('f', '1');
  const host = await start();
  rmSync(directory, { recursive: true });
  expect(await (await sync(host.port)).next(1)).toMatchObject({ featureFlags: [{ name: '1' }] });
  await host.stop();
  mkdirSync(directory);
});
