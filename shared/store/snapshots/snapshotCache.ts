import type { MissingAttribute } from '../../evaluation/condition.ts';
import type { InvalidCondition } from '../../evaluation/invalidCondition.ts';
import { compileSnapshot, type Snapshot } from '../../evaluation/snapshot.ts';
import { type Contents, contentsAfter, newlyUnreadable } from '../documents/contents.ts';
import type { StoredDocument } from '../documents/item.ts';
import type { Version } from '../documents/version.ts';
import { type Moment, momentOf } from '../table/commitWait.ts';
import { NotFound } from '../table/errors.ts';
import { type DocumentSource, isStable, observe, type VersionObservation } from './consistentRead.ts';
import { isAtVersion, type ReaderState, readStep } from './readStep.ts';

/** Default memory of one instance's cache, in bytes. */
const CAPACITY_BYTES = 64 * 1024 * 1024;

/** Size of an environment without its documents, so that the number of empty ones has a limit too. */
const ENTRY_BYTES = 4 * 1024;

/** The last read. */
interface Entry extends ReaderState {
  readonly contents: Contents;
  readonly snapshot: Snapshot;
  readonly bytes: number;
}

/** An environment's flags and segments, and its version. */
export interface Reading {
  readonly snapshot: Snapshot;
  readonly version: Version;
  /**
   * When the strongly consistent read of the version was sent. Absent if the reading may be incomplete, or if writers of the
   * environment do not wait before they acknowledge.
   */
  readonly verifiedAt?: Moment | undefined;
  /** Whether a part of its last transaction may be missing. Its version is the one before that. */
  readonly isPartial?: boolean;
  /** All changes since an earlier version, if this reading was made from them. */
  readonly changes?: ChangesSince | undefined;
}

/** Changes in the order of their versions, each as it was written. */
export interface ChangesSince {
  readonly after: number;
  readonly documents: readonly StoredDocument[];
}

/** Where requests get environments from. */
export interface SnapshotSource {
  /**
   * @param cursor the version that the client has: the reading is not older
   * @throws {NotFound} if the environment does not exist
   */
  read(envId: string, cursor?: number): Promise<Reading>;
}

type LoadedEntry = Entry & Reading;

/** Caches compiled environments. Each use asks the table only whether there is a newer version. */
export class SnapshotCache implements SnapshotSource {
  readonly #source: DocumentSource;
  readonly #report: (envId: string, invalidConditions: readonly InvalidCondition[]) => void;
  readonly #missingAttribute: MissingAttribute;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #capacityBytes: number;
  #bytes = 0;
  readonly #loading = new Map<string, Promise<LoadedEntry>>();

  /**
   * @param report called for each problem when a snapshot first contains it, and for a text that exceeds the search limit
   * @param capacityBytes memory limit, in bytes of the documents as JSON; one environment of any size is always kept
   */
  constructor(
    source: DocumentSource,
    report: (envId: string, invalidConditions: readonly InvalidCondition[]) => void,
    missingAttribute: MissingAttribute = 'empty',
    capacityBytes = CAPACITY_BYTES,
  ) {
    this.#capacityBytes = capacityBytes;
    this.#source = source;
    this.#report = report;
    this.#missingAttribute = missingAttribute;
  }

  /**
   * The current environment. It includes every write acknowledged before the call. Costs one read if nothing has
   * changed.
   *
   * @throws {NotFound} if the environment does not exist
   */
  async read(envId: string): Promise<Reading> {
    const { documents, effects } = this.#source;
    // Taken before the request. At the reply it would be too late: a write may be acknowledged while the reply is on its way.
    const sentAt = momentOf(effects);
    const version = await documents.version(envId).catch((error) => {
      if (error instanceof NotFound) this.#forget(envId);
      throw error;
    });
    const entry = this.#entries.get(envId);
    const observation = observe(effects, version, entry?.observation);
    if (entry && isAtVersion(effects, entry, observation)) {
      this.#use(envId, entry);
      return verified({ snapshot: entry.snapshot, version }, sentAt);
    }
    const flight = `${envId}#${version.updatedAt}#${isStable(effects, observation)}`;
    const earlier = await this.#loading.get(flight);
    // That read began before this call, so it may lack a write acknowledged in between.
    const loaded = earlier?.isWhole
      ? earlier
      : await (this.#loading.get(flight) ?? this.#fly(flight, envId, observation));
    const { snapshot, version: loadedVersion, changes } = loaded;
    const reading = { snapshot, version: loadedVersion, changes };
    // This also holds if an earlier call started the load: the result has the version that this call read.
    return loaded.isWhole ? verified(reading, sentAt) : { ...reading, isPartial: true };
  }

  #fly(flight: string, envId: string, asked: VersionObservation): Promise<LoadedEntry> {
    const loading = this.#load(envId, asked).finally(() => this.#loading.delete(flight));
    this.#loading.set(flight, loading);
    return loading;
  }

  async #load(envId: string, asked: VersionObservation): Promise<LoadedEntry> {
    const before = this.#entries.get(envId);
    const { documents, after, ...state } = await readStep(this.#source, envId, asked, before);
    const contents = contentsAfter(documents, after === undefined ? undefined : before?.contents);
    const { version: asOf } = state.observation;
    // If part of its last transaction may be missing, everything from before it is complete.
    const version = state.isWhole ? asOf : { ...asOf, updatedAt: asOf.previous };
    const { flags, segments, sizes } = contents;
    const snapshot = compileSnapshot(
      {
        envId,
        version: version.updatedAt,
        initialVersion: version.initial,
        flags: [...flags.values()],
        segments: [...segments.values()],
        missingAttribute: this.#missingAttribute,
        largestBytes: [...sizes.values()].reduce((most, bytes) => Math.max(most, bytes), 0),
        onSkipped: (condition) => this.#report(envId, [condition]),
      },
      before?.snapshot,
    );
    const invalidConditions = [...newlyUnreadable(contents, before?.contents), ...snapshot.invalidConditions];
    if (invalidConditions.length > 0) this.#report(envId, invalidConditions);
    const entry = { ...state, contents, snapshot, bytes: bytesOf(contents) };
    this.#keep(envId, entry);
    return { ...entry, version, changes: after === undefined ? undefined : { after, documents } };
  }

  /** Keeps the version that was met last. That of a table that was restored in place may be lower than before. */
  #keep(envId: string, entry: Entry): void {
    const current = this.#entries.get(envId);
    if (current && isLater(current.observation, entry.observation)) return;
    this.#forget(envId);
    this.#bytes += entry.bytes;
    this.#entries.set(envId, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#capacityBytes || oldest === envId) break;
      this.#forget(oldest);
    }
  }

  #forget(envId: string): void {
    this.#bytes -= this.#entries.get(envId)?.bytes ?? 0;
    this.#entries.delete(envId);
  }

  #use(envId: string, entry: Entry): void {
    this.#entries.delete(envId);
    this.#entries.set(envId, entry);
  }
}

function isLater(a: VersionObservation, b: VersionObservation): boolean {
  return a.firstAt > b.firstAt || (a.firstAt === b.firstAt && a.version.updatedAt > b.version.updatedAt);
}

function bytesOf({ sizes }: Contents): number {
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, ENTRY_BYTES);
}

function verified(reading: Omit<Reading, 'verifiedAt'>, sentAt: Moment): Reading {
  return reading.version.isAwaited ? { ...reading, verifiedAt: sentAt } : reading;
}
