import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { InsightSink } from '../http/insight.ts';
import { log } from '../telemetry/log.ts';
import { SharedRead } from './sharedRead.ts';

/** The most that insights may take on disk, and in memory while the disk is slow. */
const LIMITS = { fileBytes: 64 * 1024 * 1024, files: 8, waitingBytes: 16 * 1024 * 1024 };

/**
 * A sink into a file, one line of JSON a record. Records that are acknowledged have reached the disk. A full file is renamed
 * with the time (`insights.ndjson.1763772000000-4711`); when there are too many of these, the oldest is deleted. Several
 * processes may write to one file.
 *
 * @param limits `files` counts the one that is written too
 */
export function createInsightFile(path: string, limits = LIMITS): InsightSink {
  const lost = { deleted: 0, refused: 0 };
  let waiting: string[] = [];
  let waitingBytes = 0;
  let lastAside = 0;

  const writing = new SharedRead(async () => {
    const lines = waiting.join('');
    const bytes = waitingBytes;
    waiting = [];
    waitingBytes = 0;
    await makeRoom(bytes);
    await append(path, lines);
  });

  async function makeRoom(bytes: number): Promise<void> {
    const { size, isFull } = await stat(path).then(
      (found) => ({ size: found.size, isFull: found.isFile() && found.size + bytes > limits.fileBytes }),
      () => ({ size: 0, isFull: false }),
    );
    if (!isFull || size === 0) return;
    // Before the full one joins them: what cannot be deleted must not let the others grow.
    const aside = await filesAside(path);
    for (const oldest of aside.slice(0, Math.max(0, aside.length + 2 - limits.files))) await unlessGone(remove(oldest));
    lastAside = Math.max(Date.now(), lastAside + 1);
    await unlessGone(rename(path, `${path}.${lastAside}-${randomUUID()}`));
  }

  async function remove(file: string): Promise<void> {
    const records = await countLines(file);
    await unlink(file);
    lost.deleted += records;
    log.warn('oldest insights deleted to make room', { file, records });
  }

  return {
    lost,
    async write(records) {
      const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      const bytes = Buffer.byteLength(lines);
      try {
        if (waitingBytes + bytes > limits.waitingBytes) {
          throw new Error(`more than ${limits.waitingBytes} bytes of insights wait to be written to disk`);
        }
        waiting.push(lines);
        waitingBytes += bytes;
        await writing.read();
      } catch (error) {
        lost.refused += records.length;
        throw error;
      }
    },
  };
}

/** Another process may have been there first. */
async function unlessGone(change: Promise<void>): Promise<void> {
  await change.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
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
async function append(path: string, lines: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const found = await file.stat();
    const isTorn = found.isFile() && found.size > 0 && (await byteAt(file, found.size - 1)) !== NEWLINE;
    await file.appendFile(isTorn ? `\n${lines}` : lines);
    if (found.isFile()) await file.sync();
  } finally {
    await file.close();
  }
}

async function byteAt(file: FileHandle, position: number): Promise<number | undefined> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position);
  return buffer[0];
}

async function countLines(file: string): Promise<number> {
  let lines = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
  }
  return lines;
}

const NEWLINE = 0x0a;
