import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, relative } from 'node:path';
import { describeCommit, describeMachine } from '../../dev/support/machine.ts';
import { formatGate } from '../results/gates.ts';
import type { Progress } from '../runner/progress.ts';
import { Testbed } from '../testbed/testbed.ts';
import type { StagedOptions } from './command.ts';
import { HostTasks } from './hostTasks.ts';
import { putLoad } from './load.ts';
import { BASE_CPU, gatesOfLoad, type Measured, STAGE_CPU } from './measured.ts';
import { millionPage } from './page.ts';
import { goThroughStages, type Measure, Stopped } from './stages.ts';
import { type Parameters, readState, type StagedState, writeState } from './state.ts';

const RESULTS = join(import.meta.dirname, '../../docs/results');

/** Longer than this no load of the search for the base capacity is held. */
const PROBE_HOLD_S = 8;

/** To start tasks, and to wait for the last answers. */
const SETTLE_S = 4;

/** Clients that the search begins with, on a whole processor. */
const FIRST_CLIENTS = 10_000;

/**
 * StormForge's method on hosts of this machine: from one task's base capacity to the goal, as far as all gates are kept. The
 * state is kept after each load, and it goes on from the one that is there.
 *
 * @returns exit code: 0 the goal was reached, 1 it was stopped before
 * @throws Error when the state that is there belongs to other parameters
 */
export async function runStaged(options: StagedOptions, progress: Progress, signal: AbortSignal): Promise<number> {
  const { budget, out, write: isKept, ...parameters } = options;
  const path = join(out, 'state.json');
  const before = readState(path, parameters);
  let state: StagedState = before ?? begin(parameters);
  const keep = (more: Partial<StagedState>) => {
    state = { ...state, ...more };
    writeState(path, state);
  };
  const note = (text: string) => keep({ notes: [...new Set([...state.notes, text])] });
  if (before) {
    progress.say(`going on from ${relative('.', path)}, with ${Math.round(before.spentS)} s spent`);
    const commit = describeCommit();
    if (commit !== before.commit) note(`Begun at commit ${before.commit}, and gone on with at ${commit}.`);
  }
  const measure: Measure = async (clients, tasks, name) => {
    const hold = name === 'base' ? Math.min(PROBE_HOLD_S, parameters.hold) : parameters.hold;
    const load = { ...parameters, tasks, clients, hold };
    const takesS = load.ramp + hold + SETTLE_S;
    if (state.spentS + takesS > budget * 60) {
      const spent = `${Math.round(state.spentS)} s are spent, and this takes ${takesS} s`;
      throw new Stopped(`${name}: the budget of ${budget} minutes: ${spent}. Raise --budget.`);
    }
    progress.say(`${name}: ${clients} clients on ${tasks} ${tasks === 1 ? 'task' : 'tasks'}, about ${takesS} s`);
    const startedAt = performance.now();
    try {
      const measured = await HostTasks.with(testbed, load, (running) => {
        if (!running.areHeld) note(NOT_HELD);
        return unlessAborted(signal, () => putLoad(running, load));
      });
      progress.say(`  ${describe(measured, name === 'base' ? BASE_CPU : STAGE_CPU)}`);
      return measured;
    } catch (error) {
      // Ctrl-C ends what was started here, too, which then fails in its own ways.
      throw signal.aborted ? new Stopped(`${name}: it was interrupted`) : error;
    } finally {
      keep({ spentS: state.spentS + (performance.now() - startedAt) / 1_000 });
    }
  };
  const testbed = await Testbed.open();
  try {
    await goThroughStages(state, Math.ceil(FIRST_CLIENTS * parameters.share), measure, keep);
    progress.say('every stage kept all gates');
    return 0;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    progress.say(`stopped at ${error.message}\nThe same command goes on from there.`);
    return 1;
  } finally {
    await testbed.close();
    if (state.probes.length > 0)
      progress.say(`what a million takes: ${relative('.', writePage(state, isKept ? RESULTS : out))}`);
  }
}

function writePage(state: StagedState, folder: string): string {
  const { sections } = JSON.parse(readFileSync(join(RESULTS, 'simulation.json'), 'utf8'));
  const path = join(folder, 'million.md');
  writeFileSync(path, millionPage(state, sections));
  return path;
}

const NOT_HELD =
  'There are no control groups here: tasks were not held to their shares, but what they used was counted against them.';

function begin(parameters: Parameters): StagedState {
  return {
    parameters,
    startedAt: new Date().toISOString(),
    commit: describeCommit(),
    machine: describeMachine(),
    loadBefore: loadavg()[0] ?? Number.NaN,
    notes: [],
    spentS: 0,
    probes: [],
    stages: [],
  };
}

/** Ends the wait for something as soon as it is told to. */
function unlessAborted<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    act().then(resolve, reject);
  });
}

function describe(measured: Measured, mostCpu: number): string {
  return [...measured.bottlenecks, ...gatesOfLoad(measured, mostCpu).map(formatGate)].join(' · ');
}
