import type { UnansweredConnection } from '../../shared/store/connections/unanswered.ts';
import type { Invocation } from '../invocation.ts';
import { log } from '../telemetry/log.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import { type HealingDeps, type HealOutcome, healConnection } from './healConnection.ts';

/**
 * How long a connection waits for an answer before it is healed, in milliseconds. SDKs ask as soon as they are connected, and the
 * function that answers has 28 s.
 */
const HEAL_AFTER_MS = 30_000;

/** Connections examined in one call; bounds its memory and time. */
const MAX_NOTES = 10_000;

/** Connections healed at the same time; a slow one does not delay the others. */
const CONCURRENCY = 10;

/**
 * The pause after each connection: at most 100 a second. Closed SDKs reconnect at once, each with a handshake and a data-sync, to
 * a service that has just refused some.
 */
const PAUSE_MS = 10;

/** Time between two looks for connections that have become due. */
const LOOK_EVERY_MS = 1_000;

/** How long before its end a call stops starting with connections. */
const LAST_BEGINNING_MS = 20_000;

/** How long before its end a call stops sending: a post and the record of progress take a few seconds. */
const LAST_SENDING_MS = 8_000;

/** How long a due connection may wait before it is reported: until the call that should heal it has ended. */
const REPORT_AFTER_MS = 60_000;

/**
 * Creates the handler of a schedule. It heals connections that have waited too long for an answer (healConnection.ts), including
 * those that become due while it runs. Connections that arrived after it started are left to the next call. If most of the last
 * ten attempts failed, AWS still refuses requests, and the rest is left to the next call. Calls may overlap.
 *
 * It records the backlog at its start, since a killed call records nothing at its end.
 */
export function createHeal(deps: HealingDeps) {
  return (_event: unknown, invocation: Invocation): Promise<void> =>
    new HealingRun(deps, invocation.getRemainingTimeInMillis()).run();
}

/** What became of a connection in a run. */
type HealingState = 'waiting' | 'running' | 'failed' | HealOutcome;

/** One call of the function. */
class HealingRun {
  readonly #deps: HealingDeps;
  readonly #beganAt: number;
  readonly #endsAt: number;
  /** The connections that waited when the run began, by id. */
  readonly #states = new Map<string, HealingState>();
  readonly #running = new Set<Promise<void>>();
  /** Whether each of the last attempts failed. */
  readonly #failures: boolean[] = [];

  constructor(deps: HealingDeps, remainingMs: number) {
    this.#deps = deps;
    this.#beganAt = deps.effects.now();
    this.#endsAt = this.#beganAt + remainingMs;
  }

  async run(): Promise<void> {
    const { now, pause } = this.#deps.effects;
    let notes = await this.#load();
    for (const { id } of notes) this.#states.set(id, 'waiting');
    const overdue = notes.filter((note) => dueAt(note) + REPORT_AFTER_MS <= this.#beganAt).length;
    if (overdue > 0) recordMetrics({ 'healed.waiting': overdue });
    while (await this.#beginDue(notes)) {
      const isDone = !notes.some((note) => this.#isOpen(note));
      if (isDone || now() + LOOK_EVERY_MS > this.#endsAt - LAST_BEGINNING_MS) break;
      await pause(LOOK_EVERY_MS);
      notes = (await this.#load()).filter(({ id }) => this.#states.has(id));
    }
    await Promise.all(this.#running);
    this.#report(notes);
  }

  async #load(): Promise<UnansweredConnection[]> {
    const notes = await this.#deps.connections.unanswered.load(MAX_NOTES);
    return notes.filter(({ since }) => since <= this.#beganAt);
  }

  /** Starts with connections that are due, as far as there is room. @returns false if no further one may start */
  async #beginDue(notes: readonly UnansweredConnection[]): Promise<boolean> {
    const { now, pause } = this.#deps.effects;
    const due = notes
      .filter((note) => this.#isOpen(note) && Math.max(dueAt(note), note.claimedUntil ?? 0) <= now())
      // Connections that were tried before come last.
      .toSorted((a, b) => (a.claimedUntil ?? 0) - (b.claimedUntil ?? 0) || dueAt(a) - dueAt(b));
    for (const note of due) {
      if (this.#running.size >= CONCURRENCY) await Promise.race(this.#running);
      if (!this.#mayBegin()) return false;
      const healing = this.#heal(note).finally(() => this.#running.delete(healing));
      this.#running.add(healing);
      await pause(PAUSE_MS);
    }
    return this.#mayBegin();
  }

  #mayBegin(): boolean {
    const isInTime = this.#deps.effects.now() <= this.#endsAt - LAST_BEGINNING_MS;
    return isInTime && this.#failures.filter(Boolean).length <= CONCURRENCY / 2;
  }

  /** Whether a connection may be healed in this run. One that another sender answers may need it later. */
  #isOpen({ id }: UnansweredConnection): boolean {
    const state = this.#states.get(id);
    return state === 'waiting' || state === 'failed' || state === 'not needed';
  }

  async #heal(note: UnansweredConnection): Promise<void> {
    this.#states.set(note.id, 'running');
    let state: HealingState = 'failed';
    try {
      state = await healConnection(this.#deps, note, this.#endsAt - LAST_SENDING_MS);
    } catch (error) {
      log.warn('connection not healed', { error: error as Error, connectionId: note.id });
    }
    this.#states.set(note.id, state);
    this.#failures.push(state === 'failed');
    if (this.#failures.length > CONCURRENCY) this.#failures.shift();
  }

  #report(notes: readonly UnansweredConnection[]): void {
    const late = notes.filter((note) => this.#isOpen(note) && dueAt(note) <= this.#deps.effects.now());
    const waiting = late.filter(({ id }) => this.#states.get(id) !== 'not needed').length;
    const count = (state: HealingState) => [...this.#states.values()].filter((each) => each === state).length;
    const [sent, ended, givenUp, failed] = [count('sent'), count('ended'), count('given up'), count('failed')];
    if (sent + ended + givenUp + failed + waiting === 0) return;
    log.warn('connections were not answered in time', { sent, ended, givenUp, failed, waiting });
    recordMetrics({ 'healed.waiting': waiting + givenUp });
  }
}

/** Time at which a connection may be healed; messages in flight have arrived by then. */
function dueAt({ since, notedAt = since }: UnansweredConnection): number {
  return notedAt + HEAL_AFTER_MS;
}
