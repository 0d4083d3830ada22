import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from '../../shared/command/markdownTable.ts';
import { median } from '../../shared/statistics/quantile.ts';
import type { Range } from '../assumptions/rangesOf.ts';
import type { Assumptions } from '../model/assumptions.ts';
import { hoursUntilThrottled } from '../model/credits.ts';

/**
 * Peak of the processor of a t2.micro by new connections a second, in percent, without TLS.
 *
 * Source: https://docs.featbit.co/tech-stack/benchmark (2023-10)
 */
const PUBLISHED = [
  { rate: 1_000, percent: 82 },
  { rate: 1_100, percent: 88 },
  { rate: 1_200, percent: 91 },
] as const;

/** What FeatBit's server, built from its sources of 2026, took of a core here at 1,100 a second, in percent (docs/results/featbit.md). */
const FEATBIT_HERE = 93;

/** Our host at FeatBit's rates: what was measured on a core here, and what that would be on a t2.micro, by either way to tell. */
export function publishedT2({ t2CoreFactor }: Readonly<Record<keyof Assumptions, Range>>): string {
  const here = hostPercent();
  const of = (rate: number, factor: number) => (here.percent * factor * rate) / here.rate;
  const published = PUBLISHED.find(({ rate }) => rate === here.rate)?.percent ?? Number.NaN;
  const yardstick = published / FEATBIT_HERE;
  const cell = (percent: number) => (percent > 100 ? 'more than all' : `${Math.round(percent)} %`);
  const hours = (factor: number) => {
    const until = hoursUntilThrottled(of(here.rate, factor) / 100);
    return `${until.toFixed(1)} hours`;
  };
  return `${markdownTable(
    ['processor while they come', ...PUBLISHED.map(({ rate }) => `${rate.toLocaleString('en')} new a second`)],
    [
      ['FeatBit’s server on a t2.micro, published', ...PUBLISHED.map(({ percent }) => `${percent} %`)],
      [
        'our host of today on a core here, measured',
        ...PUBLISHED.map(({ rate }) => (rate === here.rate ? `${Math.round(here.percent)} %` : '–')),
      ],
      [
        `our host on a t2.micro, were its core ${t2CoreFactor.low} times slower (judgement)`,
        ...PUBLISHED.map(({ rate }) => cell(of(rate, t2CoreFactor.low))),
      ],
      [
        `were it ${t2CoreFactor.expected} times slower, as is assumed here (judgement)`,
        ...PUBLISHED.map(({ rate }) => cell(of(rate, t2CoreFactor.expected))),
      ],
      [
        `were it what FeatBit’s server tells: ${published} % there and ${FEATBIT_HERE} % here`,
        ...PUBLISHED.map(({ rate }) => cell(of(rate, yardstick))),
      ],
    ],
  )}

Nobody has measured our host on a t2.micro: the last three lines are worked out. The yardstick of the last is no proof, since FeatBit published .NET 6 and
was built here on .NET 10; if it holds, the costs of machines in these tables are too high. A t2.micro earns a tenth of its core. At ${here.rate.toLocaleString('en')} a second a full
balance of credits would last ${hours(t2CoreFactor.expected)} as assumed, ${hours(yardstick)} by the yardstick; the thirty published runs of three minutes fit into the credits it starts with.
In unlimited mode it goes on at $0.05 for each hour of a core, four times its own price.`;
}

/** Of `npm run bench -- beside`: the median of the rounds that count, from cold. */
function hostPercent(): { rate: number; percent: number } {
  const path = join(import.meta.dirname, '../../docs/results/featbit/beside.json');
  const { visits, parameters } = JSON.parse(readFileSync(path, 'utf8')) as {
    parameters: { rate: number };
    visits: { side: string; phase: string; invalid: unknown[]; figures: Record<string, number> }[];
  };
  const rounds = visits.filter(
    ({ side, phase, invalid }) => side === 'ours' && phase === 'from cold' && invalid.length === 0,
  );
  const percent = median(rounds.map(({ figures }) => figures['processor, % of a core'] ?? Number.NaN));
  return { rate: parameters.rate, percent };
}
