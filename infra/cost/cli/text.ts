import { figuresTable } from '../../../shared/command/figuresTable.ts';
import { PURPOSE_NAMES, PURPOSES } from '../model/bill.ts';
import { ARCHITECTURES } from '../model/compare.ts';
import { count, money, range, share } from '../model/figures.ts';
import type { CostReport } from '../model/report.ts';

/** A report for a terminal. */
export function renderText({ workload, prices, architectures, crossings }: CostReport, title: string): string {
  const totals = figuresTable(
    ['a month, US dollars', ...architectures.map(({ name }) => name)],
    [
      ['expected', ...architectures.map((each) => `${money(expectedOf(each))}${each.problems.length > 0 ? ' *' : ''}`)],
      ['between', ...architectures.map(range)],
      ['idle', ...architectures.map(({ idle }) => money(idle))],
      ...PURPOSES.map((purpose) => [
        PURPOSE_NAMES[purpose],
        ...architectures.map(({ purposes }) => money(purposes[purpose])),
      ]),
      ['pings’ share', ...architectures.map(({ heartbeatShare }) => share(heartbeatShare))],
      ['a million data-syncs', ...architectures.map(({ millionSyncs }) => money(millionSyncs))],
      ['a million pushes', ...architectures.map(({ millionPushes }) => money(millionPushes))],
      ['machines', ...architectures.map(({ machines }) => (machines > 0 ? count(machines) : '–'))],
    ],
  );
  const dominant = architectures.flatMap(({ name, bill }) => {
    if (bill.items.length === 0) return [];
    const [first, second] = bill.items.toSorted((a, b) => b.usd - a.usd);
    const parts = [first, second].flatMap((item) => (item ? [`${item.what} ${money(item.usd)}`] : []));
    return `  ${name}: mostly ${parts.join(', ')}`;
  });
  const notes = architectures.flatMap(({ name, problems, notes }) => [
    ...problems.map((problem) => `* ${name}: ${problem}`),
    ...notes.map((note) => `  ${name}: ${note}`),
  ]);
  const borders = crossings.map(
    ({ from, to, connections, usd }) =>
      `  from ${count(connections)} connections (${money(usd)}): ${ARCHITECTURES[to]} in place of ${ARCHITECTURES[from]}`,
  );
  return [
    `${title}: ${count(workload.connections)} connections at the busiest, ${prices.name} (${prices.region}), list prices without tax`,
    totals,
    ...dominant,
    ...notes,
    '',
    borders.length > 0
      ? 'Where the cheapest changes, with more or fewer connections of this kind:'
      : 'One way is the cheapest at any number of connections.',
    ...borders,
    '',
    `Prices not confirmed by a second source: ${prices.unconfirmed.join(', ') || 'none'} (npm run prices -- refresh).`,
    'Left out: S3, support plans, data between zones, people. `--json` has every item, `--html` a page with charts.',
  ].join('\n');
}

/** US dollars; NaN where it cannot be done. */
function expectedOf({ bill }: CostReport['architectures'][number]): number {
  return bill.items.length > 0 ? bill.total : Number.NaN;
}
