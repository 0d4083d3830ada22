import type { MissingAttribute } from '../evaluation/condition.ts';
import { compileSnapshot, type InvalidCondition, type Snapshot } from '../evaluation/snapshot.ts';
import type { Flag } from '../flags/flag.ts';
import { formatProblem } from '../flags/problem.ts';
import type { Segment } from '../flags/segment.ts';
import {
  type DocumentSource,
  isSettled,
  loadAtVersion,
  type Sighting,
  sight,
  type VersionedDocuments,
} from './consistentRead.ts';
import { decodeDocument, type StoredDocument } from './item.ts';
import type { Version } from './version.ts';

/** Environments kept in memory by one instance. */
const CAPACITY = 50;

/** What was read last; see `VersionedDocuments`. */
interface Entry extends Omit<VersionedDocuments, 'documents'> {
  readonly snapshot: Snapshot;
  /** Items that cannot be read, each with its version. */
  readonly unreadable: ReadonlySet<string>;
}

/** An environment's flags and segments, and where the environment stands. */
export interface Reading {
  readonly snapshot: Snapshot;
  readonly version: Version;
}

type Loaded = Entry & Reading;

/** Keeps compiled environments; asks the table for each use only whether there is something newer. */
export class SnapshotCache {
  readonly #source: DocumentSource;
  readonly #report: (envId: string, invalidConditions: readonly InvalidCondition[]) => void;
  readonly #missingAttribute: MissingAttribute;
  /** The one used longest ago first. */
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<Loaded>>();

  /** @param report told of each thing that was contained, when a snapshot first contains it */
  constructor(
    source: DocumentSource,
    report: (envId: string, invalidConditions: readonly InvalidCondition[]) => void,
    missingAttribute: MissingAttribute = 'empty',
  ) {
    this.#source = source;
    this.#report = report;
    this.#missingAttribute = missingAttribute;
  }

  /**
   * The environment as of now: every write that was acknowledged before the call is in it. Costs one read while nothing
   * has changed.
   *
   * @throws {NotFound} when there is no such environment
   */
  async read(envId: string): Promise<Reading> {
    const { documents, effects } = this.#source;
    const version = await documents.version(envId);
    const entry = this.#entries.get(envId);
    const sighting = sight(effects, version, entry?.sighting);
    const settled = isSettled(effects, sighting);
    const isCurrent = entry?.sighting.version.updatedAt === version.updatedAt;
    if (entry && isCurrent && (entry.isFinal || (entry.isWhole && !settled))) {
      this.#use(envId, entry);
      return { snapshot: entry.snapshot, version };
    }
    const flight = `${envId}#${version.updatedAt}#${settled}`;
    const earlier = await this.#loading.get(flight);
    // It began before this call, and so may lack what was acknowledged in between.
    const loaded = earlier?.isWhole ? earlier : await (this.#loading.get(flight) ?? this.#fly(flight, envId, sighting));
    return { snapshot: loaded.snapshot, version: loaded.version };
  }

  #fly(flight: string, envId: string, asked: Sighting): Promise<Loaded> {
    const loading = this.#load(envId, asked).finally(() => this.#loading.delete(flight));
    this.#loading.set(flight, loading);
    return loading;
  }

  async #load(envId: string, asked: Sighting): Promise<Loaded> {
    const { documents, ...state } = await loadAtVersion(this.#source, envId, asked);
    const { version: asOf } = state.sighting;
    // What may lack something of its last transaction has all that was there before it.
    const version = state.isWhole ? asOf : { ...asOf, updatedAt: asOf.previous };
    const flags: Flag[] = [];
    const segments: Segment[] = [];
    const unreadable = new Map<string, InvalidCondition>();
    for (const stored of documents) {
      const result = decodeDocument(stored);
      if (result.ok) (stored.kind === 'flag' ? flags : segments).push(result.value as Flag & Segment);
      else unreadable.set(versionedName(stored), invalidDocument(stored, result.problems.map(formatProblem)));
    }
    const previous = this.#entries.get(envId);
    const source = { envId, version: version.updatedAt, flags, segments, missingAttribute: this.#missingAttribute };
    const snapshot = compileSnapshot(source, previous?.snapshot);
    const newlyUnreadable = [...unreadable].filter(([name]) => !previous?.unreadable.has(name)).map(([, it]) => it);
    const invalidConditions = [...newlyUnreadable, ...snapshot.invalidConditions];
    if (invalidConditions.length > 0) this.#report(envId, invalidConditions);
    const entry = { ...state, snapshot, unreadable: new Set(unreadable.keys()) };
    this.#keep(envId, entry);
    return { ...entry, version };
  }

  #keep(envId: string, entry: Entry): void {
    const current = this.#entries.get(envId);
    if (current && current.sighting.version.updatedAt > entry.sighting.version.updatedAt) return;
    this.#use(envId, entry);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > CAPACITY && !oldest.done) this.#entries.delete(oldest.value);
  }

  #use(envId: string, entry: Entry): void {
    this.#entries.delete(envId);
    this.#entries.set(envId, entry);
  }
}

function versionedName({ kind, id, updatedAt }: StoredDocument): string {
  return `${kind}#${id}#${updatedAt}`;
}

function invalidDocument({ kind, id }: StoredDocument, problems: readonly string[]): InvalidCondition {
  return { kind, id, path: '', message: problems.join('; ') };
}
