import { type FileHandle, open, unlink } from 'node:fs/promises';

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const QUOTE = 0x22;
/** The start of each line that the sink writes. */
const BEGIN = Buffer.from('{"envId":"');
/** Maximum length of an environment id in a line. */
const MAX_ID_BYTES = 64;

/** A deleted file of insights. */
interface DeletedFile {
  /** The lines to write again. */
  readonly kept: Buffer;
  readonly keptRecords: number;
  /** The lines that are lost. */
  readonly deletedRecords: number;
  /** The environment with the largest part of the file. */
  readonly mostOf: string | undefined;
}

/**
 * Deletes a file of insights and returns the lines that environments keep. The environment with the largest part keeps
 * none. The others keep their newest lines, up to equal shares. An environment with too many records thus deletes only
 * its own.
 *
 * @param keptBytes maximum size of the returned lines
 * @throws ENOENT if another process has deleted the file
 */
export async function deleteFairly(path: string, keptBytes: number): Promise<DeletedFile> {
  const file = await open(path, 'r');
  try {
    // Deleted first, so that only one process returns its lines.
    await unlink(path);
    const taken = new Map<string, number>();
    let records = 0;
    for await (const [line, envId] of linesOf(file)) {
      records++;
      if (envId !== undefined) taken.set(envId, (taken.get(envId) ?? 0) + line.length);
    }
    const kept = taken.size > 1 ? await keptLines(file, excessBytes(taken, keptBytes)) : [];
    const mostOf = [...taken].reduce<[string?, number?]>(
      (most, next) => (next[1] > (most[1] ?? 0) ? next : most),
      [],
    )[0];
    return { kept: Buffer.concat(kept), keptRecords: kept.length, deletedRecords: records - kept.length, mostOf };
  } finally {
    await file.close();
  }
}

/** Lines of each environment that come after its excess. */
async function keptLines(file: FileHandle, excess: Map<string, number>): Promise<Buffer[]> {
  const kept: Buffer[] = [];
  for await (const [line, envId] of linesOf(file)) {
    if (envId === undefined) continue;
    const over = excess.get(envId) ?? 0;
    // Copied, because a line is a view of its chunk.
    if (over <= 0) kept.push(Buffer.from(line));
    else excess.set(envId, over - line.length);
  }
  return kept;
}

/** The bytes that each environment loses, oldest first. */
function excessBytes(taken: ReadonlyMap<string, number>, keptBytes: number): Map<string, number> {
  const ascending = [...taken].sort(([, a], [, b]) => a - b);
  let left = keptBytes;
  return new Map(
    ascending.map(([envId, bytes], index) => {
      const others = ascending.length - 1 - index;
      const share = others === 0 ? 0 : Math.min(bytes, left / others);
      left -= share;
      return [envId, bytes - share];
    }),
  );
}

/** Lines (with their newline) and their environment. Undefined for a line in another form, or without an end. */
async function* linesOf(file: FileHandle): AsyncGenerator<readonly [line: Buffer, envId: string | undefined]> {
  let rest = Buffer.alloc(0);
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const read = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    let begin = 0;
    for (let end = read.indexOf(NEWLINE); end >= 0; end = read.indexOf(NEWLINE, begin)) {
      const line = read.subarray(begin, end + 1);
      yield [line, envIdOf(line)];
      begin = end + 1;
    }
    rest = read.subarray(begin);
  }
  if (rest.length > 0) yield [rest, undefined];
}

function envIdOf(line: Buffer): string | undefined {
  if (!line.subarray(0, BEGIN.length).equals(BEGIN)) return undefined;
  const end = line.indexOf(QUOTE, BEGIN.length);
  const isId = end > BEGIN.length && end <= BEGIN.length + MAX_ID_BYTES;
  return isId ? line.toString('latin1', BEGIN.length, end) : undefined;
}
