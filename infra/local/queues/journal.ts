import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** An append-only file of JSON records, one a line. */
export interface Journal<T> {
  /** What the file held when it was opened. */
  readonly found: readonly T[];
  /**
   * Appends records. When it returns they have left this process: they survive its death by any signal (though not a
   * power cut, since the file is not synced to the disk).
   */
  append(records: readonly T[]): void;
  /** Replaces everything, in one step: after a crash the file is the old one or the new one. */
  rewrite(records: readonly T[]): void;
  /** Records in the file now. */
  length(): number;
  close(): void;
}

/** Opens the journal at `path`, or one that forgets everything when `path` is undefined. */
export function openJournal<T>(path: string | undefined): Journal<T> {
  if (path === undefined) return forgetful();
  mkdirSync(dirname(path), { recursive: true });
  const found = readRecords<T>(path);
  let file = openSync(path, 'a');
  let length = found.length;
  const journal: Journal<T> = {
    found,
    append(records) {
      writeSync(file, toLines(records));
      length += records.length;
    },
    rewrite(records) {
      const next = `${path}.next`;
      const fresh = openSync(next, 'w');
      writeSync(fresh, toLines(records));
      renameSync(next, path);
      closeSync(file);
      file = fresh;
      length = records.length;
    },
    length: () => length,
    close: () => closeSync(file),
  };
  // A half-written last line must not become the beginning of the next one.
  journal.rewrite(found);
  return journal;
}

function toLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

function readRecords<T>(path: string): T[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const lines = text.split('\n');
  // What follows the last line break was never acknowledged: the process died while writing it.
  lines.pop();
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as T;
    } catch (cause) {
      throw new Error(`${path}: line ${index + 1} is not JSON; move the file away to start with an empty queue`, {
        cause,
      });
    }
  });
}

function forgetful<T>(): Journal<T> {
  let length = 0;
  return {
    found: [],
    append: (records) => {
      length += records.length;
    },
    rewrite: (records) => {
      length = records.length;
    },
    length: () => length,
    close: () => {},
  };
}
