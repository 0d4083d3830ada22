import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import type { Range } from '../../assumptions/rangesOf.ts';
import { rangesOf } from '../../assumptions/rangesOf.ts';
import type { Assumptions } from '../../model/assumptions.ts';
import { ARCHITECTURES, type Architecture } from '../../model/compare.ts';
import { renderCsv } from '../../model/csv.ts';
import { count, type Figures, figuresIn } from '../../model/figures.ts';
import type { LeverName } from '../../model/levers.ts';
import { costWithPing, reportOn } from '../../model/report.ts';
import { parseWorkload, type Workload, WorkloadError } from '../../model/workload.ts';
import { type Controls, controlsOf, fromFragment, leversOf, problemOf, toFragment, workloadOf } from '../controls.ts';
import { drawCosts } from './charts.ts';
import { element, place, tableOf } from './dom.ts';
import { buildForm, showProblem } from './form.ts';
import { buildLevers } from './levers.ts';
import { showPrices, showTables } from './tables.ts';

/** What the page was written with. */
declare const data: {
  readonly ranges: Readonly<Record<keyof Assumptions, Range>>;
  readonly workload: Workload;
  readonly levers: readonly LeverName[];
};

const ranges = rangesOf(data.ranges);
const defaults = controlsOf(data.workload, data.levers);
let shown = { given: data.workload, controls: defaults };

/** Shows what controls say. @param given their workload, which is valid, without levers */
function show(given: Workload, controls: Controls): void {
  shown = { given, controls };
  const figures = figuresIn(navigator.language, controls.period);
  const report = reportOn(given, ranges, { levers: leversOf(controls), figures });
  const { workload } = report;
  showTables(report, figures);
  showLevers(report, figures);
  showPrices(workload.region, figures);
  const signs = report.crossings.map(({ connections }, index) => ({ at: connections, sign: String(index + 1) }));
  drawCosts(place('by-connections'), {
    x: 'connections at the busiest time',
    points: report.curve.map(({ connections, usd }) => ({ at: connections, usd })),
    marks: [...signs, { at: workload.connections, sign: '▼' }],
    format: figures.count,
    figures,
  });
  place('crossings').replaceChildren(
    ...report.crossings.map(({ from, to, connections, usd }) =>
      element(
        'li',
        {},
        `From ${figures.count(connections)} connections (${figures.cost(usd)}) on: ${ARCHITECTURES[to]} in place of ${ARCHITECTURES[from]}.`,
      ),
    ),
  );
  const possible = report.architectures.filter(({ isPossible }) => isPossible);
  showPings(
    workload,
    possible.map(({ architecture }) => architecture),
    figures,
  );
}

function showPings(workload: Workload, possible: readonly Architecture[], figures: Figures): void {
  const costs = (pingSeconds: number) =>
    Object.fromEntries(possible.map((each) => [each, costWithPing(each, workload, ranges.expected, pingSeconds)]));
  drawCosts(place('by-ping'), {
    x: 'seconds between pings, of every SDK',
    points: Array.from({ length: 57 }, (_, step) => 600 ** (step / 56)).map((at) => ({ at, usd: costs(at) })),
    marks: [],
    format: (at) => `${figures.count(at)} s`,
    figures,
  });
  const intervals = [1, 10, 15, SDK_PING_SECONDS, 60, 300];
  place('ping-table').replaceChildren(
    tableOf(
      `US dollars a ${figures.period} by the ping interval`,
      ['every', ...possible.map((each) => ARCHITECTURES[each])],
      intervals.map((seconds) => [
        `${seconds} s`,
        ...possible.map((each) => figures.cost(costs(seconds)[each] ?? Number.NaN)),
      ]),
    ),
  );
}

function showAssumptions(): void {
  const rows = Object.values(data.ranges).map(({ meaning, expected, low, high, unit, source }) => [
    meaning,
    `${figure(expected)} ${unit}`,
    low === high ? '–' : `${figure(low)} to ${figure(high)}`,
    withLinks(source),
  ]);
  place('assumptions').append(tableOf('Every assumption', ['what', 'expected', 'low to high', 'from'], rows));
}

/** Text whose addresses are links. */
function withLinks(text: string): Node {
  const parts = text
    .split(/(https:\/\/[^\s,)]+)/)
    .map((part, index) =>
      index % 2 === 1 ? element('a', { href: part, rel: 'noreferrer' }, part.replace(/^https:\/\//, '')) : part,
    );
  return element('span', {}, ...parts);
}

function figure(value: number): string {
  return value >= 1_000 ? count(value) : String(Number(value.toPrecision(3)));
}

function change(controls: Controls, isTyped = true): void {
  try {
    show(parseWorkload(workloadOf(controls)), controls);
    showProblem(undefined);
    if (isTyped) history.replaceState(null, '', `#${toFragment(controls, defaults)}`);
  } catch (error) {
    if (!(error instanceof WorkloadError)) throw error;
    showProblem(problemOf(error.message, controls));
  }
}

const initial = fromFragment(location.hash, defaults);
const form = buildForm(initial, figuresIn(navigator.language), change);
const showLevers = buildLevers((on) => form.change({ levers: on.join() }));
showAssumptions();
// Whatever an address says, there is something to see.
show(data.workload, defaults);
change(initial, false);

addEventListener('hashchange', () => {
  const controls = fromFragment(location.hash, defaults);
  form.set(controls);
  change(controls, false);
});
const again = () => show(shown.given, shown.controls);
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  again();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
place('copy').addEventListener('click', async () => {
  const said = place('copied');
  // All of it, so that it means the same on a page that began with something else.
  const link = `${location.href.split('#')[0]}#${toFragment(shown.controls)}`;
  try {
    await navigator.clipboard.writeText(link);
    said.textContent = 'Copied.';
  } catch {
    history.replaceState(null, '', link);
    said.textContent = 'The browser does not let pages copy here: the address bar has it.';
  }
});
place('csv').addEventListener('click', () => {
  const text = renderCsv(reportOn(shown.given, ranges, { levers: leversOf(shown.controls) }));
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  element('a', { href: address, download: 'flagwire-cost.csv' }).click();
  URL.revokeObjectURL(address);
});
