import { markdownTable } from '../../shared/command/markdownTable.ts';
import { median } from '../../shared/statistics/quantile.ts';
import type { Beside } from '../bench/beside/report.ts';
import { RATE, type Side } from '../bench/beside/rounds.ts';
import { figure, figureOfRuns } from '../report/document.ts';
import { published } from '../results/published.ts';
import { SOURCE_BUILD } from './featbit.ts';

/** The rate at which all of them were measured. */
const PUBLISHED = published.find(({ rate }) => rate === 1_100);

type Rounds = readonly number[];

/** FeatBit's server and our host, in the same run. */
interface Pair {
  readonly featbit: Rounds;
  readonly ours: Rounds;
}

/**
 * What was published, FeatBit's server here, our host beside it then, and our host now, figure by figure. Where ours was behind, the
 * cell says so.
 */
export function featbitTable(beside: Beside): string {
  const { cold, held, saturation } = SOURCE_BUILD;
  const now = (phase: string, name: string) => roundsOf(beside, 'ours', phase, name);
  const row = (name: string, theirs: string, { featbit, ours }: Pair, today: Rounds) => {
    const cell = (rounds: Rounds) => `${figureOfRuns(rounds)}${median(rounds) > median(featbit) ? ' **slower**' : ''}`;
    return [name, theirs, figureOfRuns(featbit), cell(ours), cell(today)];
  };
  const saturated = (n: 64 | 256, then: Pair) => {
    const phase = `saturation, ${n} in flight`;
    const isAtLeast = beside.visits.some((visit) => visit.side === 'ours' && visit.phase === phase && visit.isAtLeast);
    const cell = (rounds: Rounds, isBound: boolean) => `${isBound ? 'at least ' : ''}${figureOfRuns(rounds)}`;
    const ours = [cell(then.ours, n === 256), cell(now(phase, RATE), isAtLeast)];
    return [`new connections a second, ${n} in flight`, '–', figureOfRuns(then.featbit), ...ours];
  };
  const processor = 'processor, % of a core';
  const then = (side: keyof Pair) => bytesOf(held.idleMb[side], held.mb[side], [held.connections]);
  const memory = bytesOf(now('held', 'memory before, MB'), now('held', 'memory, MB'), now('held', 'held'));
  return markdownTable(
    [
      '1,100 new connections a second',
      'FeatBit published, t2.micro',
      'FeatBit’s server, a core here',
      'our host beside it',
      'our host today',
    ],
    [
      row('processor while they come, %', figure(PUBLISHED?.cpu[0]), cold.processor, now('from cold', processor)),
      row('data-sync P50, ms', `average ${figure(PUBLISHED?.average)}`, cold.syncP50, now('from cold', 'sync P50, ms')),
      row('data-sync P99, ms', figure(PUBLISHED?.p99), cold.syncP99, now('from cold', 'sync P99, ms')),
      row('processor while held, %', figure(PUBLISHED?.cpu[1]), held.processor, now('held', processor)),
      row('memory of a connection, KB', '–', { featbit: then('featbit'), ours: then('ours') }, memory),
      saturated(64, saturation[64]),
      saturated(256, saturation[256]),
    ],
  );
}

/** The rounds of a figure that count. */
export function roundsOf({ visits }: Beside, side: Side, phase: string, name: string): number[] {
  const used = visits.filter((visit) => visit.side === side && visit.phase === phase && visit.invalid.length === 0);
  return used.map(({ figures }) => figures[name] ?? Number.NaN);
}

/** Kilobytes of a connection: what a process has more with all of them, round by round. */
function bytesOf(idleMb: Rounds, mb: Rounds, connections: Rounds): number[] {
  return mb.map((each, n) => ((each - (idleMb[n] ?? Number.NaN)) * 1_024) / (connections[n] ?? Number.NaN));
}
