import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMachine } from '../../dev/support/machine.ts';
import { optionWords, quoteWord } from '../../shared/command/quoteWord.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { formatMachine } from '../report/campaignReport.ts';
import { WrongArguments } from '../runner/outcome.ts';
import { type CompareOptions, ratesOf } from './rounds.ts';

/** File with the order of a comparison. */
const ORDER = 'order.json';

/** The command that continues a comparison. @param out its folder */
export function continueCommand({ target, quick, rates, runs, fullRuns, minutes }: CompareOptions, out: string) {
  const words = [
    ...(quick ? ['--quick'] : []),
    ...optionWords('--rates', rates?.join(',')),
    ...optionWords('--runs', runs?.toString()),
    ...optionWords('--full-runs', fullRuns?.toString()),
    ...['--minutes', minutes, '--out', quoteWord(out), '--resume'],
  ];
  return ownCommand('loadtest', ['compare --target', target.join(','), ...words].join(' '));
}

/**
 * Records the order of a comparison, and refuses to resume one with a different order or on another machine. Targets may be added, each
 * with its own number of runs of full length.
 *
 * @throws {WrongArguments} naming what differs
 */
export function requireSameOrder(out: string, options: CompareOptions, on = formatMachine(describeMachine())): void {
  const path = join(out, ORDER);
  const { target, quick, runs, fullRuns = 1 } = options;
  const order = { form: quick ? 'short' : 'full', rates: ratesOf(options), runs, machine: on };
  const { fullRuns: before = {}, ...was } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : order;
  const now = { ...before, ...Object.fromEntries(target.map((name) => [name, fullRuns])) };
  const is = JSON.stringify({ ...order, fullRuns: now });
  if (JSON.stringify({ ...was, fullRuns: { ...now, ...before } }) !== is) {
    const earlier = JSON.stringify({ ...was, fullRuns: before });
    throw new WrongArguments(`${out} was measured with ${earlier}, not with ${is}. Choose another --out.`);
  }
  mkdirSync(out, { recursive: true });
  writeFileSync(path, `${is}\n`);
}
