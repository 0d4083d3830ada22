import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { systemEffects } from '../../shared/runtime/effects.ts';
import type { Reading } from '../../shared/store/snapshots/snapshotCache.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import { output, service, useService } from '../testing/fixture.ts';
import { snapshotsOf } from '../testing/service.ts';
import { LastKnownState } from './offline/lastKnownState.ts';
import { StateFiles } from './offline/stateFiles.ts';

useService();

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-shared-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** The directory as one process uses it. */
const open = () => new LastKnownState(directory, 'empty', service.effects.now);
/** The name of the only saved flag. */
const nameKept = (kept: LastKnownState) => kept.reading(service.envId)?.snapshot.flags[0]?.document.name;

/** An environment whose flag is named 0, then 1, and so on. */
async function readVersions(count: number): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (let n = 0; n < count; n++) {
    await service.store.documents.writeFlag(service.envId, 'f', () => aFlag({ key: 'f', name: String(n) }));
    readings.push(await snapshotsOf(service).read(service.envId));
  }
  return readings;
}

test('an older version never takes the place of a newer one', async () => {
  const readings = await readVersions(3);
  const [one, two] = [open(), open()];
  for (const [kept, n] of [
    [one, 2],
    [two, 1],
    [one, 0],
    [two, 2],
    [two, 0],
  ] as const) {
    kept.save(service.envId, readings[n] as Reading);
    await kept.flushed();
    expect([nameKept(one), nameKept(two)]).toEqual(['2', '2']);
  }
  expect(readdirSync(join(directory, 'environments'))).toHaveLength(1);
});

test('processes that write at once leave a whole version, and never an older one', async () => {
  const readings = await readVersions(12);
  const reader = open();
  let isWriting = true;
  const writing = Promise.all(
    // Each is further behind than the previous one.
    [open(), open(), open()].map(async (kept, lag) => {
      for (const n of readings.keys()) {
        kept.save(service.envId, readings[Math.max(0, n - lag)] as Reading);
        await kept.flushed();
      }
    }),
  ).finally(() => {
    isWriting = false;
  });
  while (!nameKept(reader)) await new Promise((resolve) => setImmediate(resolve));
  for (let last = 0; isWriting; ) {
    const name = Number(nameKept(reader) ?? Number.NaN);
    expect(name).toBeGreaterThanOrEqual(last);
    last = name;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await writing;
  expect(nameKept(reader)).toBe('11');
  expect(output.text()).toBe('');
});

test('processes that are killed during a write leave whole files, and others start', async () => {
  const script = `
    const { StateFiles } = await import(${JSON.stringify(join(import.meta.dirname, 'offline', 'stateFiles.ts'))});
    const files = new StateFiles(${JSON.stringify(directory)}, Date.now, { warn: console.log });
    for (let n = 0; ; n++) {
      await files.write('a', { n, text: 'x'.repeat(1_000_000) });
      if (n === 5) console.log('writing');
    }`;
  const schema = z.object({ n: z.number(), text: z.string().length(1_000_000) });
  const writers = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  for (const writer of writers) expect(String((await once(writer.stdout, 'data'))[0])).toBe('writing\n');
  for (const writer of writers) {
    const ended = once(writer, 'exit');
    writer.kill('SIGKILL');
    await ended;
    const files = new StateFiles(directory, systemEffects.now, new LimitedLog(() => 0));
    expect(files.read('a', schema)).toMatchObject({ n: expect.any(Number) });
    await files.write('a', { n: 0, text: 'x'.repeat(1_000_000) });
  }
  expect(output.text()).toBe('');
});
