import { loadavg } from 'node:os';
import { quoteWord } from '../../shared/command/quoteWord.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { describeCommit, describeMachine, type Machine } from './machine.ts';

/** The origin of figures: command, machine, commit and date. */
export interface RunInfo {
  /** As typed, without secrets. */
  readonly command: string;
  readonly commit: string;
  readonly machine: Machine & { readonly node: string };
  /** Load average of the machine over a minute before the start. Old figures have none. */
  readonly loadBefore?: number;
  /** The same at the end. It includes our own processes. */
  readonly loadAfter?: number;
  /** Start, in ISO 8601. */
  readonly at: string;
}

/** A command of package.json as it was typed. @param script its name */
export function typed(script: string, args: readonly string[]): string {
  return ownCommand(script, args.map(quoteWord).join(' '));
}

/** The info of a run that starts now. */
export function startInfo(command: string): RunInfo {
  return {
    command,
    commit: describeCommit(),
    machine: { ...describeMachine(), node: process.version },
    loadBefore: loadavg()[0] ?? Number.NaN,
    at: new Date().toISOString(),
  };
}

/** Adds the load average at the end of a run. */
export function endInfo(info: RunInfo): RunInfo {
  return { ...info, loadAfter: loadavg()[0] ?? Number.NaN };
}

/** The info as a sentence. */
export function formatInfo({ command, commit, machine, loadBefore = Number.NaN, loadAfter, at }: RunInfo): string {
  const { cores, cpu, node } = machine;
  const where = `${command} on ${at.slice(0, 10)}, commit ${commit}, Node ${node.replace(/^v/, '')}, ${cores} cores of ${cpu}`;
  const after = loadAfter === undefined ? '' : ` and ${loadAfter.toFixed(2)} when it ended`;
  const busy = loadBefore > cores / 4 ? ' Other programs used the machine: times are too long, and rates too low.' : '';
  return `${where}, with a load average of ${loadBefore.toFixed(2)} before it began${after}.${busy}`;
}
