import type { CompiledFlag } from '../shared/evaluation/flag.ts';
import type { ExpressionEngine } from '../shared/evaluation/operators.ts';
import type { Effects } from '../shared/runtime/effects.ts';
import { DocumentReader } from '../shared/store/documents/documents.ts';
import { observe, SETTLE_MS } from '../shared/store/snapshots/consistentRead.ts';
import { isAtVersion, type ReaderState, type ReadStep, readStep } from '../shared/store/snapshots/readStep.ts';
import { ageOf, momentOf } from '../shared/store/table/commitWait.ts';
import { Refused } from '../shared/store/table/directTable.ts';
import { NotFound } from '../shared/store/table/errors.ts';
import type { ReadTable } from '../shared/store/table/tableRequests.ts';
import { Flags } from './flags.ts';
import { Freshness, type Read } from './freshness.ts';
import type { Settings } from './settings.ts';

/** Maximum time of a start, in milliseconds. A function that is called meanwhile waits for it. */
const START_MS = 3_000;

/** Documents of more bytes than this are reported: a function may have as little memory as 128 MB. */
const LARGE_BYTES = 32_000_000;

interface EnvironmentDeps {
  readonly table: ReadTable;
  readonly settings: Settings;
  readonly effects: Effects;
  /** Work that is done with a read that was due. It never fails. */
  readonly alongside: () => Promise<void>;
  /** Logs a line about a document or a condition. */
  readonly report: (line: string) => void;
  /** Called when the table cannot be read any more, and when it can be read again, also for the first time after a failed start. */
  readonly onStale: (error: Error) => void;
  readonly onReady: () => void;
  /** @param keys of the flags that were written */
  readonly onChange: (keys: readonly string[]) => void;
}

/** The flags of one environment, kept as new as promised. */
export class FlagwireEnvironment {
  readonly #deps: EnvironmentDeps;
  /** When flags are read. */
  readonly freshness: Freshness;
  #state: ReaderState | undefined;
  #flags: Flags | undefined;
  #engine: ExpressionEngine | undefined;
  #status: 'starting' | 'ready' | 'failed' = 'starting';

  constructor(deps: EnvironmentDeps) {
    const { settings, effects } = deps;
    this.#deps = deps;
    this.freshness = new Freshness({
      read: () => this.#read(),
      maxAgeMs: settings.maxAgeMs,
      waitMs: settings.waitMs,
      effects,
      onFailure: (error) => {
        if (this.#status === 'ready') deps.onStale(error);
        if (this.#status !== 'starting') this.#status = 'failed';
      },
      onSuccess: () => {
        if (this.#status === 'failed') deps.onReady();
        if (this.#status !== 'starting') this.#status = 'ready';
      },
    });
  }

  /** The flags of the last read that succeeded. */
  get flags(): Flags | undefined {
    return this.#flags;
  }

  /** Reads the flags for the first time, in several attempts if need be. @throws the last error, after 3 seconds at most */
  async start(): Promise<void> {
    this.#status = 'starting';
    try {
      await this.#firstRead();
      this.#status = 'ready';
    } catch (error) {
      this.#status = 'failed';
      throw error;
    }
  }

  async #firstRead(): Promise<void> {
    const { effects } = this.#deps;
    const startedAt = momentOf(effects);
    const left = () => START_MS - ageOf(effects, startedAt);
    while (!(await this.freshness.refresh(left()))) {
      const { error, pauseMs } = this.freshness.failure ?? {};
      if (!error || !isTemporary(error) || pauseMs === undefined || pauseMs > left()) {
        throw error ?? new Error(`the flags table did not answer within ${START_MS / 1_000} seconds`);
      }
      await effects.pause(pauseMs);
    }
  }

  /** A flag, after the engine of regular expressions was loaded for it. @returns undefined if it does not exist or cannot be read */
  async findWithEngine(key: string): Promise<CompiledFlag | undefined> {
    const { RE2 } = await import('../shared/evaluation/expression.ts');
    this.#engine = RE2;
    return this.#flags?.get(key);
  }

  async #read(): ReturnType<Read> {
    const { settings, alongside, report, effects } = this.#deps;
    const sentAt = effects.monotonic();
    const before = { state: this.#state, flags: this.#flags };
    const other = alongside();
    const step = await this.#readStep(before.state);
    if (!step) return () => other;
    const { missingAttribute } = settings;
    const flags = new Flags(step, before.flags, { missingAttribute, engine: () => this.#engine, report });
    if (flags.bytes > LARGE_BYTES)
      report(
        `the flags of the environment take more than ${LARGE_BYTES / 1_000_000} MB of memory; split the environment`,
      );
    return () => {
      const current = this.#state?.observation;
      const isOlder = current && step.observation.version.updatedAt < current.version.updatedAt;
      // Reads overtake each other, and copies of a version may differ shortly. Only a restored table stays at an older version.
      if (isOlder && sentAt - current.firstAt <= SETTLE_MS) return other;
      const { documents: _, after, ...state } = step;
      this.#state = state;
      this.#flags = flags;
      const known = before.state?.observation.version.updatedAt;
      if (known === undefined) return other;
      const written = step.documents.filter(({ kind, updatedAt }) => kind === 'flag' && updatedAt > known);
      if (written.length > 0) this.#deps.onChange(written.map(({ id }) => id));
      return other;
    };
  }

  /** @returns undefined if there is no newer version */
  async #readStep(from: ReaderState | undefined): Promise<ReadStep | undefined> {
    const { table, effects, settings } = this.#deps;
    const documents = new DocumentReader(table);
    // Asked for at the same time as the version: an invocation may wait for the first read of a process.
    const snapshot = from ? undefined : documents.snapshot(settings.envId);
    snapshot?.catch(() => {});
    const observation = observe(effects, await documents.version(settings.envId), from?.observation);
    if (from && isAtVersion(effects, from, observation)) return undefined;
    const step = await readStep({ documents, effects }, settings.envId, observation, from, snapshot);
    if (step.isWhole) return step;
    throw new Error('the environment changes too often to read all of it at one version');
  }
}

function isTemporary(error: Error): boolean {
  return error instanceof Refused ? error.isTemporary : !(error instanceof NotFound);
}
