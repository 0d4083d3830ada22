import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Machine } from '../../dev/support/machine.ts';
import { WrongArguments } from '../runner/outcome.ts';
import type { Measured } from './measured.ts';

/** What was asked for. */
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
  /** The machine's load average before: what else ran on it. */
  readonly loadBefore: number;
  /** What a reader of its figures must know. */
  readonly notes: readonly string[];
  /** Seconds that loads have taken, those that were broken off included. */
  readonly spentS: number;
  /** Loads on one task, in the search for its base capacity. */
  readonly probes: readonly Measured[];
  /** From the smallest; the last may have failed. */
  readonly stages: readonly Measured[];
}

/** What loads can be compared by, and gone on from. */
const MEASURED_WITH = ['share', 'every', 'hold', 'ramp'] as const satisfies readonly (keyof Parameters)[];

/** Writes a state whole: whoever ends the process finds the one before, or this one. */
export function writeState(path: string, state: StagedState): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, `${JSON.stringify(state, null, 2)}\n`);
  renameSync(`${path}.part`, path);
}

/**
 * Reads the state that was left, for a goal and tasks that may be others.
 *
 * @returns undefined when there is none
 * @throws Error when it cannot be read, or its loads were measured with other parameters, naming them
 */
export function readState(path: string, parameters: Parameters): StagedState | undefined {
  if (!existsSync(path)) return undefined;
  let state: StagedState;
  try {
    state = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new WrongArguments(
      `${path} cannot be read: ${(error as Error).message}. Remove it, or choose another --out.`,
    );
  }
  const others = MEASURED_WITH.filter((key) => state.parameters?.[key] !== parameters[key]);
  if (others.length === 0) return { ...state, parameters };
  const said = (by: Parameters | undefined) => others.map((key) => `--${key} ${by?.[key]}`).join(', ');
  throw new WrongArguments(
    `${path} was measured with ${said(state.parameters)}, and not with ${said(parameters)}: say the same, or choose another --out.`,
  );
}
