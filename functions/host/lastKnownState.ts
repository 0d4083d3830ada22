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

/** Of which environment and at which version a file is: its name without `.json`. */
const FILE_NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[.](\d{1,15})$/;

/** One kept environment, by its file. */
interface KeptFile {
  readonly name: string;
  readonly envId: string;
  readonly version: number;
}

/**
 * What a host knew last, on disk, so that one that is started while the table is down still serves: environments as they
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

  /** An environment as it was read last. @returns undefined where none was kept, or it cannot be read */
  reading(envId: string): Reading | undefined {
    const kept = this.#newest(envId);
    if (!kept) return undefined;
    const { flags, segments, version } = kept;
    const missingAttribute = this.#missingAttribute;
    const snapshot = compileSnapshot({ envId, version: version.updatedAt, flags, segments, missingAttribute });
    return { version, snapshot };
  }

  /** Keeps an environment in the background, unless there is as new a version; of several at once the last one counts. */
  keep(envId: string, { snapshot, version }: Reading): void {
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

  /** Forgets an environment that is no more, and its secrets. */
  forget(envId: string): void {
    this.secrets.forgetEnvironment(envId);
    this.#files.later(envId, async () => {
      for (const { name } of this.#of(envId)) await this.#files.remove(name);
    });
  }

  /** Lists the environments there are, and forgets what was kept of others. */
  tidying(list: () => Promise<readonly string[]>): () => Promise<readonly string[]> {
    return async () => {
      // Noted before: what is kept from now on may be of environments that are newer than the list.
      const known = new Set([...this.#all().map(({ envId }) => envId), ...this.secrets.environments]);
      const there = await list();
      for (const envId of there) known.delete(envId);
      for (const envId of known) this.forget(envId);
      return there;
    };
  }

  /** Resolves when everything has reached the disk. */
  async settled(): Promise<void> {
    await Promise.all([this.#files.settled(), this.secrets.settled()]);
  }

  /** @param looked the name of the newest at the last look */
  #newest(envId: string, looked?: string): KeptEnvironment | undefined {
    const files = this.#of(envId);
    for (const { name, version } of files) {
      const kept = this.#files.read(name, schemaOf(envId, version));
      if (kept) return kept;
    }
    // Another process may have put a newer one in their place since they were listed.
    const newest = files[0]?.name;
    return newest === looked ? undefined : this.#newest(envId, newest);
  }

  /** The newest first. */
  #of(envId: string): KeptFile[] {
    return this.#all()
      .filter((file) => file.envId === envId)
      .sort((a, b) => b.version - a.version);
  }

  #all(): KeptFile[] {
    return this.#files.names().flatMap((name) => {
      const [, envId, version] = FILE_NAME.exec(name) ?? [];
      return envId === undefined ? [] : { name, envId, version: Number(version) };
    });
  }
}

type KeptEnvironment = z.infer<ReturnType<typeof schemaOf>>;

/** A file whose documents cannot all be read is damaged: without one of them SDKs would be told that it is gone. */
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
