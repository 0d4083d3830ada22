import type { Effects } from '../../../shared/runtime/effects.ts';
import type { HostNotes } from '../../../shared/store/connections/hostNotes.ts';
import type { HostProcess } from '../../../shared/store/connections/hostReports.ts';

/** After which time a note is written again, in milliseconds. Two renewals may fail. */
const RENEWAL_MS = 20_000;

/** Dependencies of a note. */
export interface HostNoteDeps {
  readonly process: HostProcess;
  readonly notes: Pick<HostNotes, 'write' | 'remove'>;
  readonly effects: Pick<Effects, 'monotonic'>;
  /** Called when the note cannot be written or removed. */
  readonly onFailed: (error: unknown) => void;
}

/** The note of this host in the flags table: it may serve connections that it cannot report. */
export function createHostNote({ process, notes, effects, onFailed }: HostNoteDeps) {
  /** When it was written, on the monotonic clock. Negative infinity if it may have been written. */
  let writtenAt: number | undefined;
  /** The last update, until it ends. The next one waits for it. */
  let last: { readonly isNeeded: boolean; readonly work: Promise<unknown> } | undefined;
  const isWritten = () => writtenAt !== undefined && Number.isFinite(writtenAt);

  async function updateAfter(earlier: Promise<unknown> | undefined, isNeeded: boolean): Promise<unknown> {
    await earlier;
    try {
      await update(isNeeded);
      return undefined;
    } catch (error) {
      onFailed(error);
      return error;
    }
  }

  async function update(isNeeded: boolean): Promise<void> {
    const now = effects.monotonic();
    if (isNeeded && (writtenAt === undefined || now - writtenAt >= RENEWAL_MS)) {
      if (!isWritten()) writtenAt = Number.NEGATIVE_INFINITY;
      await notes.write(process);
      writtenAt = now;
    } else if (!isNeeded && writtenAt !== undefined) {
      writtenAt = Number.NEGATIVE_INFINITY;
      await notes.remove(process);
      writtenAt = undefined;
    }
  }

  return {
    /** Whether the flags table has it. */
    isWritten,
    /** The write or removal in progress. */
    get work() {
      return last?.work;
    },
    /**
     * Writes, renews or removes it. Never rejects. Concurrent calls share a request: each waits for two at most, of which the first is
     * the opposite.
     *
     * @returns the error if it failed
     */
    update(isNeeded: boolean): Promise<unknown> {
      if (last?.isNeeded === isNeeded) return last.work;
      const work = updateAfter(last?.work, isNeeded).finally(() => {
        if (last === own) last = undefined;
      });
      const own = { isNeeded, work };
      last = own;
      return work;
    },
  };
}
