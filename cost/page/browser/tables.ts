import type { Figures } from '../../model/figures.ts';
import type { ArchitectureReport, CostReport } from '../../model/report.ts';
import { PURPOSE_NAMES, PURPOSES } from '../../prices/bill.ts';
import { priceSheetOf } from '../../prices/sheets.ts';
import { COLOURS } from './charts.ts';
import { element, place, tableOf } from './dom.ts';

/** Colours of what a bill is for, told apart by their order as well. */
const PURPOSE_COLOURS = ['#d55e00', '#0072b2', '#009e73', '#56b4e9', '#cc79a7', '#e69f00', '#7f7f7f'];

/** Writes what a report says, save its charts. */
export function showTables(report: CostReport, say: Figures): void {
  const { architectures } = report;
  place('summary').replaceChildren(
    ...report.answers.map(({ question, answer }) =>
      element('div', {}, element('dt', {}, question), element('dd', {}, answer)),
    ),
  );
  place('totals').replaceChildren(
    tableOf(
      `US dollars a ${say.period}`,
      [
        'way to run it',
        'expected',
        'between',
        'idle',
        'pings’ share',
        'a million data-syncs',
        'a million pushes',
        'machines',
      ],
      architectures.map((each) => [
        swatched(each),
        expected(each, say),
        ...[
          say.range(each),
          say.cost(each.idle),
          say.share(each.heartbeatShare),
          say.money(each.millionSyncs),
          say.money(each.millionPushes),
          each.machines > 0 ? say.count(each.machines) : '–',
        ].map((figure) => (each.isPossible ? figure : '–')),
      ]),
    ),
  );
  const notes = architectures.flatMap(({ name, problems, notes, guesses = [] }) => [
    ...problems.map((problem) => `${name} is not possible: ${problem}.`),
    ...[...notes, ...guesses].map((note) => `${name}: ${note}.`),
  ]);
  place('notes').replaceChildren(...notes.map((note) => element('li', {}, note)));
  place('breakdown').replaceChildren(...bars(architectures, say));
  place('items').replaceChildren(
    ...architectures.filter(({ isPossible }) => isPossible).map((each) => itemsOf(each, say)),
  );
}

/** A bar for each architecture, as long as its bill beside the most expensive, divided by what it is for. */
function bars(architectures: readonly ArchitectureReport[], say: Figures): HTMLElement[] {
  const most = Math.max(...architectures.map(({ bill, isPossible }) => (isPossible ? bill.total : 0)));
  const legend = element(
    'ul',
    { class: 'legend' },
    ...PURPOSES.map((purpose, index) =>
      element('li', {}, swatch(PURPOSE_COLOURS[index] ?? ''), PURPOSE_NAMES[purpose]),
    ),
  );
  const rows = architectures.map((each) => {
    const parts = PURPOSES.flatMap((purpose, index) => {
      const usd = each.purposes[purpose];
      if (usd <= 0 || !each.isPossible) return [];
      const part = element('span', { title: `${PURPOSE_NAMES[purpose]}: ${say.cost(usd)}` });
      part.style.width = `${(usd / most) * 100}%`;
      part.style.background = PURPOSE_COLOURS[index] ?? '';
      return [part];
    });
    return element(
      'div',
      { class: 'bar' },
      element('span', { class: 'bar-name' }, each.isPossible ? each.name : element('s', {}, each.name)),
      element('span', { class: 'bar-parts', 'aria-hidden': 'true' }, ...parts),
      element('span', { class: 'bar-total' }, expected(each, say)),
    );
  });
  const table = tableOf(
    `The same as a table, US dollars a ${say.period}`,
    ['for', ...architectures.map(({ name }) => name)],
    PURPOSES.map((purpose) => [
      PURPOSE_NAMES[purpose],
      ...architectures.map(({ purposes, isPossible }) => (isPossible ? say.cost(purposes[purpose]) : '–')),
    ]),
  );
  return [legend, ...rows, element('details', {}, element('summary', {}, 'As a table'), table)];
}

function itemsOf({ name, bill }: ArchitectureReport, say: Figures): HTMLElement {
  const rows = bill.items
    .filter(({ quantity }) => quantity > 0)
    .toSorted((a, b) => b.usd - a.usd)
    .map((item) => [item.what, PURPOSE_NAMES[item.purpose], say.count(item.quantity), item.unit, say.cost(item.usd)]);
  const table = tableOf(
    `${name}: every item of the bill`,
    ['item', 'for', 'quantity a month', 'of', `US dollars a ${say.period}`],
    rows,
  );
  return element('details', {}, element('summary', {}, `${name}: every item`), table);
}

/** The prices of the region, each with where it is from. */
export function showPrices(region: CostReport['workload']['region'], { count }: Figures): void {
  const { name, prices } = priceSheetOf(region);
  const rows = Object.values(prices).map(({ what, tiers, per, unit, source, asOf, isConfirmed }) => [
    what,
    tiers.map(({ usd, upTo }) => (upTo === undefined ? `$${usd}` : `$${usd} up to ${count(upTo)}`)).join(', then '),
    `${count(per)} ${unit}`,
    element('a', { href: source, rel: 'noreferrer' }, new URL(source).pathname),
    asOf,
    isConfirmed ? 'yes' : 'no',
  ]);
  place('prices').replaceChildren(
    tableOf(
      `List prices in ${name}, US dollars without tax`,
      ['what', 'price', 'for', 'source', 'as of', 'confirmed'],
      rows,
    ),
  );
}

function expected({ bill, isPossible }: ArchitectureReport, say: Figures): string {
  return isPossible ? say.cost(bill.total) : 'not possible';
}

function swatched({ architecture, name, isPossible }: ArchitectureReport): HTMLElement {
  return element('span', {}, swatch(COLOURS[architecture]), isPossible ? name : element('s', {}, name));
}

function swatch(colour: string): HTMLElement {
  const made = element('span', { class: 'swatch' });
  made.style.background = colour;
  return made;
}
