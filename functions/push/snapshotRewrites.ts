import type { Effects } from '../../shared/runtime/effects.ts';
import { type Change, INLINE_LIMIT_BYTES } from '../../shared/store/documents/change.ts';
import type { ExpiredEntry } from '../../shared/store/documents/journal.ts';
import type { SnapshotWriter } from '../../shared/store/snapshots/snapshotWriter.ts';
import { log } from '../telemetry/log.ts';

/**
 * Limits of the journal since a snapshot, above which the snapshot is rewritten: readers read both. The time limit is well below the
 * lifetime of journal entries.
 */
const REWRITE = { entries: 64, bytes: 256 * 1024, afterMs: 30 * 60_000 };

/** Time of a call in which rewrites may start, milliseconds; the table's next changes wait for them. */
const TIME_MS = 3_000;

/** Pause after a failed rewrite of an environment, milliseconds. */
const RETRY_AFTER_MS = 60_000;

/** Environments that an instance tracks. */
const CAPACITY = 1_000;

/** What an instance knows about an environment's snapshot. */
interface KnownSnapshot {
  readonly version: number;
  /** Unix milliseconds. */
  readonly writtenAt: number;
  /** Earliest start of the next rewrite, by the monotonic clock. */
  readonly notBefore: number;
  /** Size of the journal since its version, as seen by this instance. */
  readonly entries: number;
  readonly bytes: number;
}

/** Dependencies of rewrites. */
interface SnapshotRewritesDeps extends Pick<Effects, 'now' | 'monotonic'> {
  readonly writer: Pick<SnapshotWriter, 'oldest' | 'rewrite'>;
}

/** Events of the flags table: written documents, and removed journal entries. */
export interface TableEvents {
  readonly changes: readonly Change[];
  readonly expired: readonly ExpiredEntry[];
}

/**
 * Keeps the snapshots of environments recent (docs/decisions/0031-stored-snapshots.md). An environment gets a snapshot with its
 * first change. It is rewritten when the journal since then is long, or has lost an entry.
 *
 * @returns a function to call with the events of a batch after its messages are in the queue. It takes at most a few seconds and
 *   never throws: errors are logged, and a later change retries
 */
export function createSnapshotRewrites({ writer, now, monotonic }: SnapshotRewritesDeps) {
  const known = new Map<string, KnownSnapshot>();

  async function consider(envId: string, { changes, expired }: TableEvents, until: number): Promise<void> {
    const before = known.get(envId) ?? { ...(await writer.oldest(envId)), notBefore: 0, entries: 0, bytes: 0 };
    const since = changes.filter(({ updatedAt }) => updatedAt > before.version);
    const entries = before.entries + since.length;
    const bytes = since.reduce((sum, change) => sum + bytesOf(change), before.bytes);
    const isLong = entries > REWRITE.entries || bytes > REWRITE.bytes;
    const isOld = entries > 0 && now() - before.writtenAt > REWRITE.afterMs;
    const isBroken = expired.some(({ version }) => version > before.version);
    remember(envId, { ...before, entries, bytes });
    if (!(isLong || isOld || isBroken) || monotonic() < before.notBefore) return;
    remember(envId, { ...before, entries, bytes, notBefore: monotonic() + RETRY_AFTER_MS });
    const version = await writer.rewrite(envId, until);
    // If a snapshot could not be written, it is retried at the usual interval.
    const notBefore = version === undefined ? monotonic() + REWRITE.afterMs : 0;
    remember(envId, { version: version ?? before.version, writtenAt: now(), notBefore, entries: 0, bytes: 0 });
  }

  function remember(envId: string, snapshot: KnownSnapshot): void {
    if (known.size >= CAPACITY && !known.has(envId)) known.clear();
    known.set(envId, snapshot);
  }

  return async ({ changes, expired }: TableEvents): Promise<void> => {
    const until = monotonic() + TIME_MS;
    const environments = new Set([...changes, ...expired].map(({ envId }) => envId));
    for (const envId of environments) {
      if (monotonic() >= until) return;
      const isOwn = (event: { readonly envId: string }) => event.envId === envId;
      try {
        await consider(envId, { changes: changes.filter(isOwn), expired: expired.filter(isOwn) }, until);
      } catch (error) {
        log.error('snapshot not written', { envId, error: error as Error });
      }
    }
  };
}

/** A document that is too large for a stream record exceeds the limit. */
function bytesOf({ body }: Change): number {
  if (!body) return INLINE_LIMIT_BYTES;
  return Buffer.byteLength('text' in body ? body.text : body.gzipBase64);
}
