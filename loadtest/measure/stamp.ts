import { loadavg } from 'node:os';
import { describeCommit, describeMachine, type Machine } from '../../dev/support/machine.ts';
import { quoteWord } from '../../shared/command/quoteWord.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';

/** Where figures come from: enough to make them again, and to doubt them. */
export interface Stamp {
  /** As it is typed, without secrets. */
  readonly command: string;
  readonly commit: string;
  readonly machine: Machine & { readonly node: string };
  /** The machine's load average over a minute before it began; figures from before this was noted have none. */
  readonly loadBefore?: number;
  /** The same when it ended: its own processes are in it. */
  readonly loadAfter?: number;
  /** ISO 8601, when it began. */
  readonly at: string;
}

/**
 * A command of package.json as it was typed.
 *
 * @param script its name
 * @param args its arguments
 * @param secret options whose values are not to be told
 */
export function typed(script: string, args: readonly string[], secret: readonly string[] = []): string {
  const shown = args.map((arg, n) => {
    const isSecret = secret.includes(args[n - 1] ?? '');
    const [name = ''] = arg.split('=');
    return isSecret ? '…' : arg.includes('=') && secret.includes(name) ? `${name}=…` : quoteWord(arg);
  });
  return ownCommand(script, shown.join(' '));
}

/** Stamps what begins now. */
export function makeStamp(command: string): Stamp {
  return {
    command,
    commit: describeCommit(),
    machine: { ...describeMachine(), node: process.version },
    loadBefore: loadavg()[0] ?? Number.NaN,
    at: new Date().toISOString(),
  };
}

/** Adds how busy the machine is now that it is over. */
export function ended(stamp: Stamp): Stamp {
  return { ...stamp, loadAfter: loadavg()[0] ?? Number.NaN };
}

/** A stamp as a sentence of Markdown. */
export function formatStamp({ command, commit, machine, loadBefore, loadAfter, at }: Stamp): string {
  const { cores, cpu, node } = machine;
  const where = `\`${command}\` on ${at.slice(0, 10)}, commit \`${commit}\`, Node ${node.replace(/^v/, '')}, ${cores} cores of ${cpu}`;
  if (loadBefore === undefined) return `${where}.`;
  const after = loadAfter === undefined ? '' : ` and ${loadAfter.toFixed(2)} when it ended`;
  const busy = loadBefore > cores / 4 ? ' Others took part of its time: times are too long, and rates too low.' : '';
  return `${where}, with a load average of ${loadBefore.toFixed(2)} before it began${after}.${busy}`;
}
