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
  #work: Promise<unknown> = Promise.resolve();

  constructor(deps: HostNoteDeps) {
    this.#deps = deps;
  }

  /** Whether the flags table has it. */
  get isWritten(): boolean {
    return this.#writtenAt !== undefined && Number.isFinite(this.#writtenAt);
  }

  /** Writes, renews or removes it. Never rejects. @returns the error if it failed */
  update(isNeeded: boolean): Promise<unknown> {
    this.#work = this.#work
      .then(() => this.#update(isNeeded))
      .catch((error: unknown) => {
        this.#deps.onFailed(error);
        return error;
      });
    return this.#work;
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
