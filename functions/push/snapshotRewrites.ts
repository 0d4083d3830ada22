import { type Change, INLINE_LIMIT_BYTES } from '../../shared/store/change.ts';
import type { ExpiredEntry } from '../../shared/store/journal.ts';
import type { SnapshotWriter } from '../../shared/store/snapshotWriter.ts';
import { log } from '../telemetry/log.ts';

/**
 * What the journal holds after a snapshot when it is written anew: readers pay for both. The time is well below that after
 * which the journal's entries go.
 */
const REWRITE = { entries: 64, bytes: 256 * 1024, afterMs: 30 * 60_000 };

/** The most time of a call in which rewrites are begun, milliseconds: the next changes of the table wait for them. */
const TIME_MS = 3_000;

/** How long an environment whose rewrite failed is left alone, milliseconds. */
const RETRY_AFTER_MS = 60_000;

/** Environments that an instance remembers. */
const CAPACITY = 1_000;

/** What an instance knows of an environment's snapshot. */
interface KnownSnapshot {
  readonly version: number;
  /** Unix milliseconds. */
  readonly writtenAt: number;
  /** When the next rewrite may begin, by the monotonic clock. */
  readonly notBefore: number;
  /** Of the journal since its version, as far as this instance has seen. */
  readonly entries: number;
  readonly bytes: number;
}

/** What deciding about rewrites needs. */
interface SnapshotRewritesDeps {
  readonly writer: Pick<SnapshotWriter, 'oldest' | 'rewrite'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Milliseconds, by a clock that nobody sets. */
  readonly monotonic: () => number;
}

/** What happened in the flags table: written documents, and entries of the journal that went. */
export interface TableEvents {
  readonly changes: readonly Change[];
  readonly expired: readonly ExpiredEntry[];
}

/**
 * Keeps the snapshots of environments recent (docs/decisions/0031-stored-snapshots.md). An environment gets one with its first
 * change. It is written anew when the journal since then is long, or has lost an entry that leads from it to the present.
 *
 * @returns what is called with the events of a batch once its messages are in the queue; it takes a few seconds at most, and
 *   never throws: what fails is logged and tried again with a later change
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
    // Where none could be written it is tried again as often as one is written, whatever happens in between.
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

/** One that is too large to travel is larger than the limit. */
function bytesOf({ body }: Change): number {
  if (!body) return INLINE_LIMIT_BYTES;
  return Buffer.byteLength('text' in body ? body.text : body.gzipBase64);
}
