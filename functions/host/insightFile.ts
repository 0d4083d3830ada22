import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { InsightRecord, InsightSink } from '../http/insight.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import { deleteFairly } from './insightShares.ts';
import { SharedRead } from './sharedRead.ts';

/** The most that insights may take on disk, and in memory while the disk is slow; one environment half of the latter. */
const LIMITS = { fileBytes: 64 * 1024 * 1024, files: 8, waitingBytes: 16 * 1024 * 1024 };

/** The part of a file that the smaller environments keep, together, when it is deleted. */
const KEPT_PART = 1 / 4;

/**
 * A sink into a file, one line of JSON a record. Records that are acknowledged have reached the disk. A full file is renamed
 * with the time (`insights.ndjson.1763772000000-4711`); when there are too many of these, the oldest is deleted, except for
 * the newest records of environments that others would push out ({@link deleteFairly}). Several processes may write to one
 * file.
 *
 * @param limits `files` counts the one that is written too
 */
export function createInsightFile(path: string, limits = LIMITS): InsightSink {
  const lost = { deleted: 0, refused: 0 };
  const limited = new LimitedLog(Date.now);
  const waiting = { lines: [] as string[], bytes: 0, bytesOf: new Map<string, number>() };
  let lastAside = 0;

  const writing = new SharedRead(async () => {
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

  /** @returns what is to be written again of the files that were deleted */
  async function makeRoom(bytes: number) {
    const { size, isFull } = await stat(path).then(
      (found) => ({ size: found.size, isFull: found.isFile() && found.size + bytes > limits.fileBytes }),
      () => ({ size: 0, isFull: false }),
    );
    if (!isFull || size === 0) return [];
    // Before the full one joins them: what cannot be deleted must not let the others grow.
    const aside = await filesAside(path);
    const kept = [];
    const oldest = aside.slice(0, Math.max(0, aside.length + 2 - limits.files));
    for (const file of oldest) {
      const deleted = await unlessGone(deleteFairly(file, (limits.fileBytes * KEPT_PART) / oldest.length));
      if (!deleted) continue;
      const { deletedRecords, keptRecords, mostOf } = deleted;
      lost.deleted += deletedRecords;
      limited.warn('oldest insights deleted to make room', {
        file,
        records: deletedRecords,
        kept: keptRecords,
        mostOf,
      });
      kept.push(deleted);
    }
    lastAside = Math.max(Date.now(), lastAside + 1);
    await unlessGone(rename(path, `${path}.${lastAside}-${randomUUID()}`));
    return kept;
  }

  /** @throws when they have to be refused */
  function wait(records: readonly InsightRecord[]): void {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
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
        await writing.read();
      } catch (error) {
        lost.refused += records.length;
        throw error;
      }
    },
  };
}

/** Another process may have been there first. */
async function unlessGone<T>(change: Promise<T>): Promise<T | undefined> {
  return change.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** The files put aside, the oldest first. */
async function filesAside(path: string): Promise<string[]> {
  const since = (name: string) => {
    const begin = `${basename(path)}.`;
    return name.startsWith(begin) ? Number(ASIDE.exec(name.slice(begin.length))?.[1]) : Number.NaN;
  };
  return (await readdir(dirname(path)))
    .filter((name) => !Number.isNaN(since(name)))
    .sort((a, b) => since(a) - since(b))
    .map((name) => join(dirname(path), name));
}

/** What is added to the name of a file put aside: when, unix milliseconds, and what tells two of one time apart. */
const ASIDE = /^(\d+)-[\da-f-]{36}$/;

/** Appends lines, after an end to what an earlier write may have left of its last one. */
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
