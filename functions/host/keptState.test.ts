import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { encodeToken } from '../../shared/protocol/token.ts';
import { writeFlag, writeSegment } from '../../shared/store/write.ts';
import { aFlag, aSegment } from '../../shared/testing/builders.ts';
import { output, service, useService } from '../testing/fixture.ts';
import { dataSync } from '../testing/service.ts';
import { KeptState } from './keptState.ts';
import { startTestHost } from './testing/host.ts';

useService();

let directory: string;
let isDown: boolean;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-kept-'));
  isDown = false;
});
afterEach(() => rmSync(directory, { recursive: true }));

const put = (key: string, name: string) =>
  writeFlag(service.tables, service.ambient, service.envId, key, () => aFlag({ key, name }));

/** A host with that directory, as a new process has it. */
const start = () => startTestHost(() => isDown, { settings: { drainMs: 10 }, kept: new KeptState(directory, 'empty') });

/** Connects as a server, and gives its messages as they come. */
async function sync(port: number, key = service.secrets.server.value) {
  const token = encodeToken(key, service.ambient.now(), 7);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/streaming?type=server&token=${token}`);
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  let closed: number | undefined;
  socket.on('close', (code) => {
    closed = code;
  });
  await new Promise((resolve) => socket.on('open', resolve));
  socket.send(dataSync(0));
  const next = async (count: number) => {
    while (messages.length < count && closed === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    return messages[count - 1] === undefined ? closed : JSON.parse(messages[count - 1] ?? '').data;
  };
  return { next };
}

describe('a host that is started while the table is down', () => {
  test('serves what an earlier one knew, and then what was written meanwhile', async () => {
    await put('f', '1');
    await writeSegment(service.tables, service.ambient, service.envId, 's', () => aSegment({ id: 's' }));
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

  test('and knows nothing is not ready', async () => {
    isDown = true;
    const host = await start();
    expect((await fetch(`http://127.0.0.1:${host.port}/health/readiness`)).status).toBe(503);
    await host.stop();
  });
});

describe('what is kept', () => {
  test('is for its owner only, and holds no secret', async () => {
    const host = await start();
    await (await sync(host.port)).next(1);
    await host.stop();
    const files = readdirSync(directory);
    expect(files.toSorted()).toEqual([`${service.envId}.json`, 'secrets.json'].toSorted());
    for (const name of files) {
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(directory, name), 'utf8')).not.toContain(service.secrets.server.value);
    }
  });

  test('in files that are damaged is passed over, with a line in the log', () => {
    writeFileSync(join(directory, `${service.envId}.json`), '{"version":');
    writeFileSync(join(directory, 'secrets.json'), 'nonsense');
    const kept = new KeptState(directory, 'empty');
    expect(kept.reading(service.envId)).toBeUndefined();
    expect(output.lines().filter(({ message }) => message === 'a kept file cannot be read')).toHaveLength(2);
  });
});
