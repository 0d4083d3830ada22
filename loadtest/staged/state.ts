import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Machine } from '../../infra/measure/machine.ts';
import type { Measured } from './measured.ts';

/** What was asked for: all loads of a state were measured with it. */
export interface Parameters {
  /** At most. */
  readonly tasks: number;
  /** Of a processor, for each task. */
  readonly share: number;
  /** Clients; without it as many as all tasks carry. */
  readonly goal?: number;
  /** Seconds between two heartbeats of a client, for how long they are sent, and in how long clients are opened. */
  readonly every: number;
  readonly hold: number;
  readonly ramp: number;
}

/** How far it has come. */
export interface StagedState {
  readonly parameters: Parameters;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly commit: string;
  readonly machine: Machine;
  /** What a reader of its figures must know. */
  readonly notes: readonly string[];
  /** Seconds that loads have taken, those that were broken off included. */
  readonly spentS: number;
  /** Loads on one task, in the search for its base capacity. */
  readonly probes: readonly Measured[];
  /** From the smallest; the last may have failed. */
  readonly stages: readonly Measured[];
}

/** Writes a state whole: whoever ends the process finds the one before, or this one. */
export function writeState(path: string, state: StagedState): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(`${path}.part`, path);
}

/**
 * Reads the state that was left.
 *
 * @returns undefined when there is none
 * @throws Error when it cannot be read, or was measured with other parameters, naming them
 */
export function readState(path: string, parameters: Parameters): StagedState | undefined {
  if (!existsSync(path)) return undefined;
  let state: StagedState;
  try {
    state = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}. Remove it, or choose another --out.`);
  }
  const keys = ['tasks', 'share', 'goal', 'every', 'hold', 'ramp'] as const;
  const say = (key: string, value: number | undefined) => (value === undefined ? `no --${key}` : `--${key} ${value}`);
  const others = keys.filter((key) => state.parameters?.[key] !== parameters[key]);
  if (others.length === 0) return state;
  const then = others.map((key) => say(key, state.parameters?.[key])).join(', ');
  const now = others.map((key) => say(key, parameters[key])).join(', ');
  throw new Error(`${path} was measured with ${then}, and not with ${now}: say the same, or choose another --out.`);
}
