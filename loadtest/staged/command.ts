import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../../shared/command/numbers.ts';
import type { Parameters } from './state.ts';

/** What the command line says. */
export interface StagedOptions extends Parameters {
  /** Minutes that all loads may take, those of calls before included. */
  readonly budget: number;
  readonly out: string;
  readonly write?: true;
}

const HELP = `
One task's base capacity is the most clients with which it uses 80 % of its processor and keeps all gates: errors at most
1 %, P99 of data-syncs and heartbeats at most 200 ms, generators that are not the limit. Then come 10, 50 and 100 % of the
goal, each with as many tasks as carry it; no task may use more than 90 %. It ends at the first gate that is not kept, at the
end of the budget, or by Ctrl-C, and the same command goes on from there.

Tasks are hosts on this machine, each with a share of a processor, on one table; clients are dealt out among them in turn.

Examples:
  npm run loadtest -- staged --hold 15 --ramp 15
  npm run loadtest -- staged --tasks 8 --share 0.1 --goal 12000

Exit code: 0 the goal was reached, 1 it was stopped before, and it is said where, 2 wrong arguments, 5 an
error of its own.`;

/** Adds the command that goes towards a goal in stages. @param onRun what it does */
export function addStaged(program: Command, onRun: (options: StagedOptions) => Promise<void>): void {
  program
    .command('staged')
    .description(
      'from one task’s base capacity to 10, 50 and 100 % of a goal, each stage gated; docs/results/million.md',
    )
    .option('--tasks <n>', 'tasks at most', wholeNumber, 3)
    .option('--share <n>', 'part of a processor that each has', part, 0.25)
    .option('--goal <clients>', 'clients to reach (default: as many as all tasks carry)', wholeNumber)
    .option('--every <s>', 'between two heartbeats of a client, 0.1 to 600', interval, 1)
    .option('--hold <s>', 'for how long heartbeats are sent', seconds, 300)
    .option('--ramp <s>', 'in how long clients are opened', seconds, 30)
    .option('--budget <minutes>', 'for all loads, those of calls before included', seconds, 30)
    .option('--out <folder>', 'where the state and the page go', join('dist', 'loadtest', 'staged'))
    .option('--write', 'write docs/results/million.md in place of a page in that folder')
    .addHelpText('after', HELP)
    .action(onRun);
}

function seconds(text: string): number {
  if (!(Number(text) > 0 && Number(text) < 86_400)) throw new InvalidArgumentError('must be a number over 0.');
  return Number(text);
}

function interval(text: string): number {
  if (!(Number(text) >= 0.1 && Number(text) <= 600)) throw new InvalidArgumentError('must be from 0.1 to 600.');
  return Number(text);
}

function part(text: string): number {
  if (!(Number(text) > 0 && Number(text) <= 1)) throw new InvalidArgumentError('must be over 0, and 1 at most.');
  return Number(text);
}
