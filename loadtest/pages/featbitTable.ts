import { median } from '../../infra/measure/quantile.ts';
import { markdownTable } from '../../shared/command/markdownTable.ts';
import type { Beside } from '../bench/beside/report.ts';
import { RATE, type Side } from '../bench/beside/rounds.ts';
import { figure, figureOfRuns } from '../report/document.ts';
import { published } from '../results/published.ts';
import { SOURCE_BUILD } from './featbit.ts';

/** The rate at which all of them were measured. */
const PUBLISHED = published.find(({ rate }) => rate === 1_100);

type Rounds = readonly number[];

/**
 * What was published, FeatBit's server here, our host beside it then, and our host now, figure by figure. Where ours was behind, the
 * cell says so.
 */
export function featbitTable(beside: Beside): string {
  const { cold, held, saturation } = SOURCE_BUILD;
  const now = (phase: string, name: string) => roundsOf(beside, 'ours', phase, name);
  const row = (
    name: string,
    theirs: string,
    then: { featbit: Rounds; ours: Rounds },
    today: string,
    isRate = false,
  ) => [
    name,
    theirs,
    figureOfRuns(then.featbit),
    `${figureOfRuns(then.ours)}${isBehind(then, isRate) ? ' **slower**' : ''}`,
    today,
  ];
  const saturated = (n: 64 | 256) =>
    row(
      `new connections a second, ${n} in flight`,
      '–',
      saturation[n],
      rateOf(beside, `saturation, ${n} in flight`),
      true,
    );
  const bytes = (side: 'featbit' | 'ours') => perConnection(held.idleMb[side], held.mb[side], held.connections);
  const before = now('held', 'memory before, MB');
  const after = now('held', 'memory, MB');
  const count = now('held', 'held');
  const nowBytes = after.map((mb, n) => ((mb - (before[n] ?? Number.NaN)) * 1_024) / (count[n] ?? Number.NaN));
  return markdownTable(
    [
      '1,100 new connections a second',
      'FeatBit published, t2.micro',
      'FeatBit’s server, a core here',
      'our host beside it',
      'our host today',
    ],
    [
      row(
        'processor while they come, %',
        figure(PUBLISHED?.cpu[0]),
        cold.processor,
        figureOfRuns(now('from cold', 'processor, % of a core')),
      ),
      row(
        'data-sync P50, ms',
        `average ${figure(PUBLISHED?.average)}`,
        cold.syncP50,
        figureOfRuns(now('from cold', 'sync P50, ms')),
      ),
      row('data-sync P99, ms', figure(PUBLISHED?.p99), cold.syncP99, figureOfRuns(now('from cold', 'sync P99, ms'))),
      row(
        'processor while held, %',
        figure(PUBLISHED?.cpu[1]),
        held.processor,
        figureOfRuns(now('held', 'processor, % of a core')),
      ),
      row(
        'memory of a connection, KB',
        '–',
        { featbit: bytes('featbit'), ours: bytes('ours') },
        figureOfRuns(nowBytes),
      ),
      saturated(64),
      saturated(256),
    ],
  );
}

/** The rounds of a figure that count. */
export function roundsOf({ visits }: Beside, side: Side, phase: string, name: string): number[] {
  const used = visits.filter((visit) => visit.side === side && visit.phase === phase && visit.invalid.length === 0);
  return used.map(({ figures }) => figures[name] ?? Number.NaN);
}

function rateOf(beside: Beside, phase: string): string {
  const isAtLeast = beside.visits.some((visit) => visit.side === 'ours' && visit.phase === phase && visit.isAtLeast);
  return `${isAtLeast ? 'at least ' : ''}${figureOfRuns(roundsOf(beside, 'ours', phase, RATE))}`;
}

function isBehind({ featbit, ours }: { featbit: Rounds; ours: Rounds }, isRate: boolean): boolean {
  return isRate ? median(ours) < median(featbit) : median(ours) > median(featbit);
}

function perConnection(idleMb: Rounds, mb: Rounds, connections: number): number[] {
  return mb.map((each, n) => ((each - (idleMb[n] ?? Number.NaN)) * 1_024) / connections);
}
