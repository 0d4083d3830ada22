import { join } from 'node:path';
import { z } from 'zod';
import type { MissingAttribute } from '../../../shared/evaluation/condition.ts';
import { compileSnapshot } from '../../../shared/evaluation/snapshot.ts';
import { parseFlag } from '../../../shared/flags/flag.ts';
import { formatProblem, type ParseResult } from '../../../shared/flags/problem.ts';
import { parseSegment } from '../../../shared/flags/segment.ts';
import type { Reading } from '../../../shared/store/snapshots/snapshotCache.ts';
import { LimitedLog } from '../../telemetry/limitedLog.ts';
import { LastKnownSecrets } from './lastKnownSecrets.ts';
import { StateFiles } from './stateFiles.ts';

/** A file's name without `.json`: the environment and its version. */
const FILE_NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[.](\d{1,15})$/;

/** Within this time, another process may have read and saved a version that this process has not read yet. */
const OVERTAKEN_MS = 10_000;

/** The file of an environment at a version. */
interface EnvironmentFile {
  readonly name: string;
  readonly envId: string;
  readonly version: number;
}

/**
 * The last state that a host knew, on disk: environments and secrets. With it, a host that starts while the table is
 * down can serve. Several processes may share a directory without a lock: a file is
 * written under a temporary name and renamed. Its name contains the version, and readers use the highest one.
 */
export class LastKnownState {
  /** The last access of each secret. */
  readonly secrets: LastKnownSecrets;
  readonly #files: StateFiles;
  readonly #missingAttribute: MissingAttribute;
  readonly #now: () => number;

  /**
   * @param now unix milliseconds
   * @throws if the directory cannot be created
   */
  constructor(directory: string, missingAttribute: MissingAttribute, now: () => number) {
    const limited = new LimitedLog(now);
    this.#files = new StateFiles(join(directory, 'environments'), now, limited);
    this.secrets = new LastKnownSecrets(join(directory, 'secrets'), now, limited);
    this.#missingAttribute = missingAttribute;
    this.#now = now;
  }

  /** Whether any environment can be served without the table. */
  get knowsAny(): boolean {
    return this.#all().some(({ envId }) => this.#newest(envId) !== undefined);
  }

  /** Whether the table did not answer the last lookup of a secret in time. */
  get isTableLate(): boolean {
    return this.secrets.isTableLate;
  }

  /** The last saved environment. @returns undefined if none was saved, or its file is invalid */
  reading(envId: string): Reading | undefined {
    const saved = this.#newest(envId);
    if (!saved) return undefined;
    const { flags, segments, version } = saved;
    const missingAttribute = this.#missingAttribute;
    const { updatedAt, initial: initialVersion } = version;
    const snapshot = compileSnapshot({ envId, version: updatedAt, initialVersion, flags, segments, missingAttribute });
    return { version, snapshot };
  }

  /**
   * Saves an environment in the background, unless its version or a newer one is saved. Of several calls, the last
   * counts.
   *
   * A newer version does not count if it was saved long before this reading: the table was restored. It is deleted.
   *
   * @param isOther whether no newer version counts
   */
  save(envId: string, { snapshot, version }: Reading, isOther = false): void {
    const savedBefore = isOther ? Number.POSITIVE_INFINITY : this.#now() - OVERTAKEN_MS;
    for (const file of this.#of(envId)) {
      if (file.version > version.updatedAt) this.#files.removeIfOlder(file.name, savedBefore);
    }
    this.#files.later(envId, async () => {
      const before = this.#of(envId);
      if (before.some((file) => file.version >= version.updatedAt)) return;
      await this.#files.write(`${envId}.${version.updatedAt}`, {
        envId,
        version,
        flags: snapshot.flags.map(({ document }) => document),
        segments: snapshot.segments.map(({ document }) => document),
      });
      for (const { name } of before) await this.#files.remove(name);
    });
  }

  /** Deletes the files of a deleted environment and of its secrets. */
  forget(envId: string): void {
    this.secrets.forgetEnvironment(envId);
    this.#files.later(envId, async () => {
      for (const { name } of this.#of(envId)) await this.#files.remove(name);
    });
  }

  /** Lists the environments in the table, and deletes the files of all others. */
  tidying(list: () => Promise<readonly string[]>): () => Promise<readonly string[]> {
    return async () => {
      // Collected first, because environments saved from now on may be newer than the list.
      const known = new Set([...this.#all().map(({ envId }) => envId), ...this.secrets.environments]);
      const there = await list();
      for (const envId of there) known.delete(envId);
      for (const envId of known) this.forget(envId);
      return there;
    };
  }

  /** Resolves when all data has reached the disk. */
  async flushed(): Promise<void> {
    await Promise.all([this.#files.flushed(), this.secrets.flushed()]);
  }

  /** @param tried the name of the newest file at the last attempt */
  #newest(envId: string, tried?: string): SavedEnvironment | undefined {
    const files = this.#of(envId);
    for (const { name, version } of files) {
      const saved = this.#files.read(name, schemaOf(envId, version));
      if (saved) return saved;
    }
    // Another process may have replaced them with a newer one since they were listed.
    const newest = files[0]?.name;
    return newest === tried ? undefined : this.#newest(envId, newest);
  }

  /** Newest first. */
  #of(envId: string): EnvironmentFile[] {
    return this.#all()
      .filter((file) => file.envId === envId)
      .sort((a, b) => b.version - a.version);
  }

  #all(): EnvironmentFile[] {
    return this.#files.names().flatMap((name) => {
      const [, envId, version] = FILE_NAME.exec(name) ?? [];
      return envId === undefined ? [] : { name, envId, version: Number(version) };
    });
  }
}

type SavedEnvironment = z.infer<ReturnType<typeof schemaOf>>;

/** A file with one invalid document counts as damaged. Without that document, SDKs would lose a flag. */
function schemaOf(envId: string, updatedAt: number) {
  const time = z.number().int().nonnegative();
  return z.object({
    envId: z.literal(envId),
    version: z.object({
      updatedAt: z.literal(updatedAt),
      previous: time,
      writtenAt: time,
      isUnfinished: z.boolean().default(false),
      isAwaited: z.boolean().default(false),
      initial: time.default(0),
      isRestored: z.boolean().default(false),
    }),
    flags: z.array(documentOf(parseFlag)),
    segments: z.array(documentOf(parseSegment)),
  });
}

function documentOf<T>(parse: (document: unknown) => ParseResult<T>) {
  return z.unknown().transform((document, context): T => {
    const result = parse(document);
    if (result.ok) return result.value;
    context.addIssue(result.problems.map(formatProblem).join('; '));
    return z.NEVER;
  });
}
