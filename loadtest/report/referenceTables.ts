import { type Campaign, listRates, medianOver, runsAt } from '../results/campaign.ts';
import { PUBLISHED_TABLES, published } from '../results/published.ts';
import { figure, type Table } from './document.ts';

/** FeatBit's three tables: each figure as published, as measured (median over runs), and the ratio. At rates that FeatBit did not publish, only our figures. */
export function referenceTables({ facts, runs }: Campaign): Table[] {
  const rates = listRates(runs);
  const isPublished = published.some(({ rate }) => rates.includes(rate));
  return PUBLISHED_TABLES.map(({ title, unit, figures }) => ({
    caption: `${title}, ${unit}`,
    head: [
      'new/s',
      ...figures.flatMap(({ name }) =>
        isPublished ? [`${name} published`, facts.target, 'ratio'] : [`${name}, ${facts.target}`],
      ),
    ],
    rows: rates.map((rate) => {
      const row = published.find((each) => each.rate === rate);
      const cells = figures.flatMap((each) => {
        const [theirs, ours] = [row && each.published(row), medianOver(runsAt(runs, rate), each.ours)];
        if (!isPublished) return [figure(ours)];
        const ratio = theirs === undefined || ours === undefined ? '–' : `${figure(ours / theirs)}×`;
        return [figure(theirs), figure(ours), ratio];
      });
      return [rate, ...cells];
    }),
  }));
}
