import { type Containment, compileSnapshot, type Snapshot } from '../evaluation/snapshot.ts';
import type { Flag } from '../flags/flag.ts';
import { formatProblem } from '../flags/problem.ts';
import type { Segment } from '../flags/segment.ts';
import { loadDocuments } from './documents.ts';
import { decodeDocument } from './item.ts';
import type { Ambient, Tables } from './table.ts';
import { readVersion, type Version } from './version.ts';

/**
 * How long after a write its items may still be on their way to readers: DynamoDB isolates a transaction from single
 * reads, but a query may meet it half done (docs/decisions/0003-snapshots.md).
 */
const SETTLE_MS = 1_000;

/** Environments kept in memory by one instance. */
const CAPACITY = 50;

interface Entry {
  readonly snapshot: Snapshot;
  /** Whether it was read long enough after its last write to be final. */
  readonly isSettled: boolean;
}

/** An environment's flags and segments, and where the environment stands. */
export interface Reading {
  readonly snapshot: Snapshot;
  readonly version: Version;
}

/** Keeps compiled environments; asks the table for each use only whether there is something newer. */
export class SnapshotCache {
  readonly #tables: Tables;
  readonly #ambient: Ambient;
  readonly #report: (envId: string, contained: readonly Containment[]) => void;
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<Snapshot>>();

  /** @param report told of each thing that was contained, when a snapshot first contains it */
  constructor(tables: Tables, ambient: Ambient, report: (envId: string, contained: readonly Containment[]) => void) {
    this.#tables = tables;
    this.#ambient = ambient;
    this.#report = report;
  }

  /**
   * The environment as of now: every write that was acknowledged before the call is in it. Costs one read while nothing
   * has changed.
   *
   * @throws {NotFound} when there is no such environment
   */
  async read(envId: string): Promise<Reading> {
    const version = await readVersion(this.#tables, this.#ambient, envId);
    const entry = this.#entries.get(envId);
    const isFinal = entry?.isSettled || !this.#isSettled(version);
    if (entry && entry.snapshot.version === version.updatedAt && isFinal) {
      return { snapshot: entry.snapshot, version };
    }
    const flight = `${envId}#${version.updatedAt}#${this.#isSettled(version)}`;
    const loading = this.#loading.get(flight) ?? this.#load(envId, version);
    this.#loading.set(flight, loading);
    try {
      return { snapshot: await loading, version };
    } finally {
      this.#loading.delete(flight);
    }
  }

  async #load(envId: string, version: Version): Promise<Snapshot> {
    const isSettled = this.#isSettled(version);
    const flags: Flag[] = [];
    const segments: Segment[] = [];
    const unreadable: Containment[] = [];
    for (const stored of await loadDocuments(this.#tables, envId)) {
      const result = decodeDocument(stored);
      if (result.ok) (stored.kind === 'flag' ? flags : segments).push(result.value as Flag & Segment);
      else {
        const message = result.problems.map(formatProblem).join('; ');
        unreadable.push({ kind: stored.kind, id: stored.id, path: '', message });
      }
    }
    const previous = this.#entries.get(envId)?.snapshot;
    const snapshot = compileSnapshot({ envId, version: version.updatedAt, flags, segments }, previous);
    const contained = [...unreadable, ...snapshot.contained];
    if (contained.length > 0) this.#report(envId, contained);
    this.#keep({ snapshot, isSettled });
    return snapshot;
  }

  #isSettled(version: Version): boolean {
    return this.#ambient.now() - version.writtenAt > SETTLE_MS;
  }

  #keep(entry: Entry): void {
    const { envId, version } = entry.snapshot;
    const current = this.#entries.get(envId);
    if (current && current.snapshot.version > version) return;
    this.#entries.delete(envId);
    this.#entries.set(envId, entry);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > CAPACITY && !oldest.done) this.#entries.delete(oldest.value);
  }
}
