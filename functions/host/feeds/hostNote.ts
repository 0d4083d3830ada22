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
export class HostNote {
  readonly #deps: HostNoteDeps;
  /** When it was written, on the monotonic clock. Negative infinity if it may have been written. */
  #writtenAt: number | undefined;
  /** The last update, until it ends. The next one waits for it. */
  #last: { readonly isNeeded: boolean; readonly work: Promise<unknown> } | undefined;

  constructor(deps: HostNoteDeps) {
    this.#deps = deps;
  }

  /** Whether the flags table has it. */
  get isWritten(): boolean {
    return this.#writtenAt !== undefined && Number.isFinite(this.#writtenAt);
  }

  /** The write or removal in progress. */
  get work(): Promise<unknown> | undefined {
    return this.#last?.work;
  }

  /**
   * Writes, renews or removes it. Never rejects. Concurrent calls share a request: each waits for two at most, of which the first is the
   * opposite.
   *
   * @returns the error if it failed
   */
  update(isNeeded: boolean): Promise<unknown> {
    if (this.#last?.isNeeded === isNeeded) return this.#last.work;
    const work = this.#updateAfter(this.#last?.work, isNeeded).finally(() => {
      if (this.#last === last) this.#last = undefined;
    });
    const last = { isNeeded, work };
    this.#last = last;
    return work;
  }

  async #updateAfter(earlier: Promise<unknown> | undefined, isNeeded: boolean): Promise<unknown> {
    await earlier;
    try {
      await this.#update(isNeeded);
      return undefined;
    } catch (error) {
      this.#deps.onFailed(error);
      return error;
    }
  }

  async #update(isNeeded: boolean): Promise<void> {
    const { notes, process, effects } = this.#deps;
    const now = effects.monotonic();
    if (isNeeded && (this.#writtenAt === undefined || now - this.#writtenAt >= RENEWAL_MS)) {
      if (!this.isWritten) this.#writtenAt = Number.NEGATIVE_INFINITY;
      await notes.write(process);
      this.#writtenAt = now;
    } else if (!isNeeded && this.#writtenAt !== undefined) {
      this.#writtenAt = Number.NEGATIVE_INFINITY;
      await notes.remove(process);
      this.#writtenAt = undefined;
    }
  }
}
