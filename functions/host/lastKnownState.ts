import { join } from 'node:path';
import { z } from 'zod';
import type { MissingAttribute } from '../../shared/evaluation/condition.ts';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { parseFlag } from '../../shared/flags/flag.ts';
import { formatProblem, type ParseResult } from '../../shared/flags/problem.ts';
import { parseSegment } from '../../shared/flags/segment.ts';
import type { Reading } from '../../shared/store/snapshotCache.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';
import { LastKnownSecrets } from './lastKnownSecrets.ts';
import { StateFiles } from './stateFiles.ts';

/** A file's name without `.json`: the environment and its version. */
const FILE_NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[.](\d{1,15})$/;

/** The file of an environment at a version. */
interface EnvironmentFile {
  readonly name: string;
  readonly envId: string;
  readonly version: number;
}

/**
 * What a host knew last, on disk, so that a host that starts while the table is down still serves: environments as they
 * were read last, and what secrets opened them. Several processes may share a directory (record 12).
 */
export class LastKnownState {
  /** What secrets opened last. */
  readonly secrets: LastKnownSecrets;
  readonly #files: StateFiles;
  readonly #missingAttribute: MissingAttribute;

  /**
   * @param now unix milliseconds
   * @throws when the directory cannot be made
   */
  constructor(directory: string, missingAttribute: MissingAttribute, now: () => number) {
    const limited = new LimitedLog(now);
    this.#files = new StateFiles(join(directory, 'environments'), limited);
    this.secrets = new LastKnownSecrets(join(directory, 'secrets'), now, limited);
    this.#missingAttribute = missingAttribute;
  }

  /** Whether there is an environment that can be served without the table. */
  get knowsAny(): boolean {
    return this.#all().some(({ envId }) => this.#newest(envId) !== undefined);
  }

  /** An environment as it was read last. @returns undefined when none was saved, or its file is not valid */
  reading(envId: string): Reading | undefined {
    const saved = this.#newest(envId);
    if (!saved) return undefined;
    const { flags, segments, version } = saved;
    const missingAttribute = this.#missingAttribute;
    const snapshot = compileSnapshot({ envId, version: version.updatedAt, flags, segments, missingAttribute });
    return { version, snapshot };
  }

  /** Saves an environment in the background, unless its version or a newer one is there; of several calls the last counts. */
  save(envId: string, { snapshot, version }: Reading): void {
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

  /** Forgets a deleted environment, and its secrets. */
  forget(envId: string): void {
    this.secrets.forgetEnvironment(envId);
    this.#files.later(envId, async () => {
      for (const { name } of this.#of(envId)) await this.#files.remove(name);
    });
  }

  /** Lists the environments there are, and forgets all others. */
  tidying(list: () => Promise<readonly string[]>): () => Promise<readonly string[]> {
    return async () => {
      // Collected first: environments that are saved from now on may be newer than the list.
      const known = new Set([...this.#all().map(({ envId }) => envId), ...this.secrets.environments]);
      const there = await list();
      for (const envId of there) known.delete(envId);
      for (const envId of known) this.forget(envId);
      return there;
    };
  }

  /** Resolves when everything has reached the disk. */
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
    // Another process may have put a newer one in their place since they were listed.
    const newest = files[0]?.name;
    return newest === tried ? undefined : this.#newest(envId, newest);
  }

  /** The newest first. */
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

/** A file of which one document is not valid is damaged: without that document SDKs would lose a flag. */
function schemaOf(envId: string, updatedAt: number) {
  const time = z.number().int().nonnegative();
  return z.object({
    envId: z.literal(envId),
    version: z.object({
      updatedAt: z.literal(updatedAt),
      previous: time,
      writtenAt: time,
      isUnfinished: z.boolean().default(false),
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
