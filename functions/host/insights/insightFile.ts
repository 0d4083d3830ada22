import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { wellFormedJson } from '../../../shared/flags/wellFormed.ts';
import type { InsightRecord, InsightSink } from '../../http/insight.ts';
import { LimitedLog } from '../../telemetry/limitedLog.ts';
import { shareRuns } from '../feeds/sharedRun.ts';
import { deleteFairly } from './insightShares.ts';

/**
 * Maximum size of insights on disk, and in memory while the disk is slow. One environment may use half of the memory.
 */
const LIMITS = { fileBytes: 64 * 1024 * 1024, files: 8, waitingBytes: 16 * 1024 * 1024 };

/** The fraction of a deleted file that is kept, for the smaller environments. */
const KEPT_PART = 1 / 4;

/**
 * A sink that writes each record to a file, as one line of JSON. Acknowledged records have reached the disk.
 *
 * A full file is renamed with the time (`insights.ndjson.1763772000000-4711`). If there are too many files, the oldest
 * is deleted. The newest records of smaller environments are kept ({@link deleteFairly}). Several processes may write
 * to one file.
 *
 * @param now unix milliseconds
 * @param limits `files` includes the current file
 */
export function createInsightFile(path: string, now: () => number, limits = LIMITS): InsightSink {
  const lost = { deleted: 0, refused: 0 };
  const limited = new LimitedLog(now);
  const waiting = { lines: [] as string[], bytes: 0, bytesOf: new Map<string, number>() };

  const writeWaiting = shareRuns(async () => {
    const { bytes } = waiting;
    const lines = Buffer.from(waiting.lines.join(''));
    waiting.lines = [];
    waiting.bytes = 0;
    waiting.bytesOf.clear();
    const kept = await makeRoom(bytes);
    try {
      await append(path, Buffer.concat([...kept.map((each) => each.kept), lines]));
    } catch (error) {
      for (const { keptRecords } of kept) lost.deleted += keptRecords;
      throw error;
    }
  });

  /** @returns the records of deleted files to write again */
  async function makeRoom(bytes: number) {
    const { size, isFull } = await stat(path).then(
      (found) => ({ size: found.size, isFull: found.isFile() && found.size + bytes > limits.fileBytes }),
      () => ({ size: 0, isFull: false }),
    );
    if (!isFull || size === 0) return [];
    // Deletes before the rename, so that the files do not grow if a deletion fails.
    const aside = await filesAside(path);
    const kept = [];
    const oldest = aside.slice(0, Math.max(0, aside.length + 2 - limits.files));
    for (const { file } of oldest) {
      const deleted = await unlessGone(deleteFairly(file, (limits.fileBytes * KEPT_PART) / oldest.length));
      if (!deleted) continue;
      const { deletedRecords, keptRecords, mostOf } = deleted;
      lost.deleted += deletedRecords;
      limited.warn('oldest insights deleted to free disk space', {
        file,
        records: deletedRecords,
        kept: keptRecords,
        mostOf,
      });
      kept.push(deleted);
    }
    // Later than all others, also those of other processes.
    const time = Math.max(now(), (aside.at(-1)?.time ?? 0) + 1);
    await unlessGone(rename(path, `${path}.${time}-${randomUUID()}`));
    return kept;
  }

  /** @throws if they must be refused */
  function wait(records: readonly InsightRecord[]): void {
    const lines = records.map((record) => `${wellFormedJson(JSON.stringify(record))}\n`).join('');
    const bytes = Buffer.byteLength(lines);
    const { envId = '' } = records[0] ?? {};
    const ofEnvironment = (waiting.bytesOf.get(envId) ?? 0) + bytes;
    const { waitingBytes } = limits;
    if (waiting.bytes + bytes > waitingBytes) {
      throw new Error(`more than ${waitingBytes} bytes of insights wait to be written to disk`);
    }
    if (ofEnvironment > waitingBytes / 2) {
      throw new Error(`more than ${waitingBytes / 2} bytes of insights of one environment wait to be written to disk`);
    }
    waiting.lines.push(lines);
    waiting.bytes += bytes;
    waiting.bytesOf.set(envId, ofEnvironment);
  }

  return {
    lost,
    async write(records) {
      try {
        wait(records);
        await writeWaiting();
      } catch (error) {
        lost.refused += records.length;
        throw error;
      }
    },
  };
}

/** Another process may have renamed it first. */
async function unlessGone<T>(change: Promise<T>): Promise<T | undefined> {
  return change.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** The renamed files with their times, oldest first. */
async function filesAside(path: string): Promise<{ readonly file: string; readonly time: number }[]> {
  const begin = `${basename(path)}.`;
  return (await readdir(dirname(path)))
    .filter((name) => name.startsWith(begin))
    .map((name) => ({ file: join(dirname(path), name), time: Number(ASIDE.exec(name.slice(begin.length))?.[1]) }))
    .filter(({ time }) => !Number.isNaN(time))
    .sort((a, b) => a.time - b.time);
}

/** The suffix of a renamed file: unix milliseconds, and a part that makes it unique. */
const ASIDE = /^(\d+)-[\da-f-]{36}$/;

/** Appends lines. If an earlier write left an incomplete line, it is ended first. */
async function append(path: string, lines: Buffer): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const found = await file.stat();
    const isTorn = found.isFile() && found.size > 0 && (await byteAt(file, found.size - 1)) !== NEWLINE;
    await file.appendFile(isTorn ? Buffer.concat([Buffer.of(NEWLINE), lines]) : lines);
    if (found.isFile()) await file.sync();
  } finally {
    await file.close();
  }
}

async function byteAt(file: FileHandle, position: number): Promise<number | undefined> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position);
  return buffer[0];
}

const NEWLINE = 0x0a;
