import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import type { InsightRecord, InsightSink } from '../../http/insight.ts';
import { type CapturedOutput, captureOutput } from '../../testing/output.ts';
import { createInsightFile } from './insightFile.ts';

let output: CapturedOutput;
let directory: string;
let path: string;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'insights-'));
  path = join(directory, 'insights.ndjson');
  output.clear();
});
afterEach(() => rmSync(directory, { recursive: true }));

const record = (keyId: string, envId = 'e'): InsightRecord => ({
  envId,
  receivedAt: '2024-01-01T00:00:00.000Z',
  user: { keyId, name: null, customizedProperties: [] },
  variations: [],
  metrics: [],
});
const LINE = JSON.stringify(record('u000')).length + 1;
const limits = { fileBytes: 3 * LINE, files: 3, waitingBytes: 100 * LINE };
const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `u${String(from + n).padStart(3, '0')}`);
const writeAll = async (sink: InsightSink, keyIds: readonly string[]) => {
  for (const keyId of keyIds) await sink.write([record(keyId)]);
};
const keyIdsIn = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).user.keyId);
/** Renamed files, oldest first, and the current one. */
const files = () =>
  readdirSync(directory)
    .sort((a, b) => (a.length === b.length ? a.localeCompare(b) : b.length - a.length))
    .map((name) => join(directory, name));

describe('the file', () => {
  test('holds what was written when the write resolves, in order, for its owner alone', async () => {
    const sink = createInsightFile(path, systemEffects.now, limits);
    await sink.write([record('u000'), record('u001')]);
    expect(keyIdsIn(path)).toEqual(['u000', 'u001']);
    await Promise.all([sink.write([record('u002')]), sink.write([record('u003')])]);
    expect(files().flatMap(keyIdsIn)).toEqual(names(0, 4));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('is put aside below its size, only so many are kept, and deleted ones are counted', async () => {
    const sink = createInsightFile(path, systemEffects.now, limits);
    await writeAll(sink, names(0, 9));
    expect(files().map(keyIdsIn)).toEqual([names(0, 3), names(3, 6), names(6, 9)]);
    expect(sink.lost).toEqual({ deleted: 0, refused: 0 });
    await writeAll(sink, names(9, 20));
    expect(files().map(keyIdsIn)).toEqual([names(12, 15), names(15, 18), names(18, 20)]);
    expect(sink.lost).toEqual({ deleted: 12, refused: 0 });
    expect(output.lines()[0]).toMatchObject({ mostOf: 'e' });
    for (const file of files()) expect(statSync(file).size).toBeLessThanOrEqual(limits.fileBytes);
    expect(output.lines()).toHaveLength(4);
    expect(output.lines()[0]).toMatchObject({ level: 'WARN', records: 3, file: expect.stringContaining(path) });
  });

  test('is shared by processes: none overwrites what another has put aside', async () => {
    const sinks = [
      createInsightFile(path, systemEffects.now, { ...limits, files: 10 }),
      createInsightFile(path, systemEffects.now, { ...limits, files: 10 }),
    ];
    for (const keyId of names(0, 12)) await sinks[Number(keyId.slice(1)) % 2]?.write([record(keyId)]);
    expect(files().flatMap(keyIdsIn)).toEqual(names(0, 12));
  });

  test('is put aside in order by processes whose clock stands still or goes back', async () => {
    for (const [time, from] of [
      [1_000, 0],
      [1_000, 9],
      [500, 18],
    ] as const)
      await writeAll(
        createInsightFile(path, () => time, { ...limits, files: 10 }),
        names(from, from + 9),
      );
    expect(files().flatMap(keyIdsIn)).toEqual(names(0, 27));
  });

  test('may be put aside by two at once', async () => {
    const sinks = Array.from({ length: 4 }, () => createInsightFile(path, systemEffects.now, limits));
    for (const keyId of names(0, 40)) await Promise.all(sinks.map((sink) => sink.write([record(keyId)])));
    const deleted = sinks.reduce((sum, { lost }) => sum + (lost?.['deleted'] ?? 0), 0);
    expect(sinks.map(({ lost }) => lost?.['refused'])).toEqual([0, 0, 0, 0]);
    expect(deleted + files().flatMap(keyIdsIn).length).toBeGreaterThanOrEqual(160);
  });

  test('goes on from what an earlier process left, and leaves other files alone', async () => {
    const others = ['insights.ndjson.gz', 'insights.ndjson.1-2.gz', 'other.ndjson.1-2', 'insights.ndjson.old'];
    for (const name of others) writeFileSync(join(directory, name), '');
    await writeAll(createInsightFile(path, systemEffects.now, limits), names(0, 9));
    await writeAll(createInsightFile(path, systemEffects.now, limits), names(9, 12));
    const kept = files().filter((file) => !others.some((name) => file.endsWith(`/${name}`)));
    expect(kept.map(keyIdsIn)).toEqual([names(3, 6), names(6, 9), names(9, 12)]);
    for (const name of others) expect(existsSync(join(directory, name))).toBe(true);
  });

  test('loses what was put aside longest ago first, whatever the order of names', async () => {
    const aside = (time: number) => `${path}.${time}-${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`;
    for (const time of [10, 9, 8]) writeFileSync(aside(time), `${JSON.stringify(record(`u${time}`))}\n`);
    const sink = createInsightFile(path, systemEffects.now, limits);
    await writeAll(sink, names(0, 4));
    expect([8, 9, 10].map((time) => existsSync(aside(time)))).toEqual([false, false, true]);
    expect(sink.lost).toEqual({ deleted: 2, refused: 0 });
  });

  test('takes one write that is larger than a file', async () => {
    const sink = createInsightFile(path, systemEffects.now, limits);
    await sink.write(names(0, 5).map((keyId) => record(keyId)));
    await sink.write(names(5, 6).map((keyId) => record(keyId)));
    expect(files().map(keyIdsIn)).toEqual([names(0, 5), names(5, 6)]);
  });

  test('may be a device', async () => {
    const sink = createInsightFile('/dev/null', systemEffects.now, limits);
    await writeAll(sink, names(0, 9));
    expect(existsSync('/dev/null')).toBe(true);
  });
});

describe('environments share the files', () => {
  const roomy = { fileBytes: 16 * LINE, files: 3, waitingBytes: 100 * LINE };
  const write = (sink: InsightSink, envId: string, keyIds: readonly string[]) =>
    sink.write(keyIds.map((keyId) => record(keyId, envId)));
  const keyIdsOf = (envId: string) =>
    files().flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(`{"envId":"${envId}"`))
        .map((line) => JSON.parse(line).user.keyId),
    );

  test('an environment that reports far more than the others deletes only its records', async () => {
    const sink = createInsightFile(path, systemEffects.now, roomy);
    await write(sink, 'q', names(0, 2));
    for (const keyId of names(0, 500)) await write(sink, 'f', [keyId]);
    expect(keyIdsOf('q')).toEqual(names(0, 2));
    const kept = keyIdsOf('f');
    expect(kept.at(-1)).toBe('u499');
    expect(sink.lost).toEqual({ deleted: 500 - kept.length, refused: 0 });
    expect(files()).toHaveLength(3);
    for (const file of files()) expect(statSync(file).size).toBeLessThanOrEqual(roomy.fileBytes);
    // Other lines count the ones suppressed in the minute before.
    const deletions = output.lines().filter(({ message }) => message === 'oldest insights deleted to free disk space');
    expect(new Set(deletions.map(({ mostOf }) => mostOf))).toEqual(new Set(['f']));
  });

  test('the smaller ones keep their newest records, up to a quarter of a file together', async () => {
    const sink = createInsightFile(path, systemEffects.now, roomy);
    await write(sink, 'a', names(0, 1));
    await write(sink, 'b', names(0, 6));
    await write(sink, 'f', names(0, 9));
    await write(sink, 'f', names(9, 25));
    await write(sink, 'f', names(25, 41));
    expect(keyIdsOf('b')).toEqual(names(0, 6));
    await write(sink, 'f', names(41, 42));
    expect([keyIdsOf('a'), keyIdsOf('b')]).toEqual([names(0, 1), names(3, 6)]);
    expect(sink.lost).toEqual({ deleted: 3 + 9, refused: 0 });
  });

  test('lines of another form are deleted, not kept', async () => {
    const sink = createInsightFile(path, systemEffects.now, roomy);
    writeFileSync(path, `x\n{"envId":"${'x'.repeat(100)}"}\n{"envId":"q`);
    for (const keyId of names(0, 100)) await write(sink, 'f', [keyId]);
    expect(files().flatMap(keyIdsIn).at(-1)).toBe('u099');
    expect(files().some((file) => readFileSync(file, 'utf8').includes('x'))).toBe(false);
  });
});

describe('a write that fails', () => {
  test('says so, is counted, and does not keep later ones from the disk', async () => {
    mkdirSync(path);
    const sink = createInsightFile(path, systemEffects.now, limits);
    const both = [sink.write([record('u000')]), sink.write([record('u001'), record('u002')])];
    for (const each of await Promise.allSettled(both))
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'EISDIR' } });
    expect(sink.lost).toEqual({ deleted: 0, refused: 3 });
    rmSync(path, { recursive: true });
    await sink.write([record('u003')]);
    expect(keyIdsIn(path)).toEqual(['u003']);
  });

  test('fails for want of room', async () => {
    // A Linux device that is always full.
    const sink = createInsightFile(existsSync('/dev/full') ? '/dev/full' : directory, systemEffects.now, limits);
    await expect(sink.write([record('u000')])).rejects.toThrow(/ENOSPC|EISDIR/);
    expect(sink.lost).toEqual({ deleted: 0, refused: 1 });
  });

  test('spoils no other line if it leaves half a line', async () => {
    writeFileSync(path, `${JSON.stringify(record('u000'))}\n{"half":`);
    await createInsightFile(path, systemEffects.now, { ...limits, fileBytes: 1_000 }).write([record('u001')]);
    const lines = readFileSync(path, 'utf8').split('\n');
    expect([lines[1], JSON.parse(lines[2] ?? '').user.keyId]).toEqual(['{"half":', 'u001']);
  });

  test('is refused at once where too much waits already', async () => {
    const sink = createInsightFile(path, systemEffects.now, { ...limits, fileBytes: 1e9, waitingBytes: 4 * LINE });
    const writes = ['e', 'f', 'g'].flatMap((envId) => names(0, 3).map((keyId) => sink.write([record(keyId, envId)])));
    const results = await Promise.allSettled(writes);
    const [taken, refused] = ['fulfilled', 'rejected'];
    const ofEach = [taken, taken, refused];
    expect(results.map(({ status }) => status)).toEqual([...ofEach, ...ofEach, refused, refused, refused]);
    expect([results[2], results[8]]).toMatchObject([
      { reason: { message: `more than ${2 * LINE} bytes of insights of one environment wait to be written to disk` } },
      { reason: { message: `more than ${4 * LINE} bytes of insights wait to be written to disk` } },
    ]);
    expect(keyIdsIn(path)).toEqual([...names(0, 2), ...names(0, 2)]);
    await sink.write([record('u100')]);
    expect([keyIdsIn(path).at(-1), sink.lost?.['refused']]).toEqual(['u100', 5]);
  });
});
