import { measureSpread } from '../measure/spread.ts';
import { type Campaign, type Trend, usable } from '../results/campaign.ts';
import { type Chart, figure, figureOfRuns, type Section } from './document.ts';
import { listRates, mainTime } from './runTables.ts';

/** Campaigns that cannot be read, by name; of more there is their number. */
const MOST_NAMED = 5;

/** A campaign among the last ten of its kind: the P99 that it is about, by date. */
export function trendSection({ facts }: Campaign, { campaigns, others, unreadable }: Trend): Section {
  const time = mainTime(facts);
  const rates = listRates(campaigns.flatMap(({ runs }) => runs));
  return {
    title: `${facts.scenario}: the last ${campaigns.length} by date`,
    tables: [
      {
        caption: `P99 of ${time} in milliseconds: medians over runs (least – most)`,
        head: ['begun, UTC', 'commit', ...rates.map((rate) => `${rate}/s`), 'runs used', 'not used'],
        rows: campaigns.map((each) => [
          each.facts.startedAt.slice(0, 16).replace('T', ' '),
          each.facts.versions.commit,
          ...rates.map((rate) => figureOfRuns(listP99s(each, rate, time))),
          `${usable(each.runs).length} of ${each.runs.length}`,
          notUsed(each),
        ]),
      },
    ],
    charts: campaigns.length > 1 ? [trendChart(campaigns, rates, time)] : [],
    verdicts: [],
    notes: [
      'What was INVALID or killed is in no figure and no line; a date without any other run is marked.',
      ...(others > 0 ? [`${others} others in the folder are of another scenario, target, load or machine.`] : []),
      ...(unreadable.length > 0
        ? [`${unreadable.length} in the folder cannot be read: ${formatNames(unreadable)}.`]
        : []),
    ],
  };
}

function formatNames(unreadable: readonly string[]): string {
  const more = unreadable.length > MOST_NAMED ? ` and ${unreadable.length - MOST_NAMED} more` : '';
  return `${unreadable.slice(0, MOST_NAMED).join(', ')}${more}`;
}

function trendChart(campaigns: readonly Campaign[], rates: readonly number[], time: string): Chart {
  const dateOf = ({ facts }: Campaign) => Date.parse(facts.startedAt) / 1_000;
  const series = rates.map((rate) => {
    const points = campaigns.flatMap((each): [number, number][] => {
      const median = measureSpread(listP99s(each, rate, time))?.median;
      return median === undefined ? [] : [[dateOf(each), median]];
    });
    return { name: `${rate}/s`, of: `${rate}/s`, rest: `last ${figure(points.at(-1)?.[1])} ms`, points };
  });
  const unused = campaigns.filter(({ runs }) => usable(runs).length === 0);
  return {
    title: `P99 of ${time} by date, medians over runs`,
    x: 'date, UTC',
    y: 'ms',
    isDate: true,
    series: series.filter(({ points }) => points.length > 0),
    ...(unused.length > 0 && { marks: { name: 'INVALID or killed', at: unused.map(dateOf) } }),
  };
}

function listP99s({ runs }: Campaign, rate: number, time: string): number[] {
  const used = usable(runs).filter(({ facts }) => facts.rate === rate);
  return used.map(({ times }) => times[time]?.p99 ?? Number.NaN);
}

/** How many runs are not used for what; the campaign's own report has the reasons. */
function notUsed({ runs }: Campaign): string {
  const killed = runs.filter(({ partial }) => partial !== undefined).length;
  const invalid = runs.length - usable(runs).length - killed;
  const parts = [...(invalid > 0 ? [`${invalid} INVALID`] : []), ...(killed > 0 ? [`${killed} killed`] : [])];
  return parts.join(', ') || '–';
}
