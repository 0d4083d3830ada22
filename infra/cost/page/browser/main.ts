import { SDK_PING_SECONDS } from '../../../../shared/protocol/ping.ts';
import type { Range } from '../../assumptions/rangesOf.ts';
import { rangesOf } from '../../assumptions/rangesOf.ts';
import type { Assumptions } from '../../model/assumptions.ts';
import { ARCHITECTURES, type Architecture } from '../../model/compare.ts';
import { count, money } from '../../model/figures.ts';
import { costWithPing, reportOn } from '../../model/report.ts';
import { parseWorkload, type Workload, WorkloadError } from '../../model/workload.ts';
import { type Controls, controlsOf, fromFragment, problemOf, toFragment, workloadOf } from '../controls.ts';
import { drawCosts } from './charts.ts';
import { element, place, tableOf } from './dom.ts';
import { buildForm, showProblem } from './form.ts';
import { showPrices, showTables } from './tables.ts';

/** What the page was written with. */
declare const data: {
  readonly ranges: Readonly<Record<keyof Assumptions, Range>>;
  readonly workload: Workload;
};

const ranges = rangesOf(data.ranges);
const defaults = controlsOf(data.workload);
let shown = data.workload;

function show(workload: Workload): void {
  shown = workload;
  const report = reportOn(workload, ranges);
  showTables(report);
  showPrices(workload.region);
  const signs = report.crossings.map(({ connections }, index) => ({ at: connections, sign: String(index + 1) }));
  drawCosts(place('by-connections'), {
    x: 'connections at the busiest time',
    points: report.curve.map(({ connections, usd }) => ({ at: connections, usd })),
    marks: [...signs, { at: workload.connections, sign: '▼' }],
    format: count,
  });
  place('crossings').replaceChildren(
    ...report.crossings.map(({ from, to, connections, usd }) =>
      element(
        'li',
        {},
        `From ${count(connections)} connections (${money(usd)}) on: ${ARCHITECTURES[to]} in place of ${ARCHITECTURES[from]}.`,
      ),
    ),
  );
  showPings(
    workload,
    report.architectures.filter(({ isPossible }) => isPossible).map(({ architecture }) => architecture),
  );
}

function showPings(workload: Workload, possible: readonly Architecture[]): void {
  const costs = (pingSeconds: number) =>
    Object.fromEntries(possible.map((each) => [each, costWithPing(each, workload, ranges.expected, pingSeconds)]));
  drawCosts(place('by-ping'), {
    x: 'seconds between pings, of every SDK',
    points: Array.from({ length: 57 }, (_, step) => 600 ** (step / 56)).map((at) => ({ at, usd: costs(at) })),
    marks: [],
    format: (at) => `${count(at)} s`,
  });
  const intervals = [1, 10, 15, SDK_PING_SECONDS, 60, 300];
  place('ping-table').replaceChildren(
    tableOf(
      'US dollars a month by the ping interval',
      ['every', ...possible.map((each) => ARCHITECTURES[each])],
      intervals.map((seconds) => [
        `${seconds} s`,
        ...possible.map((each) => money(costs(seconds)[each] ?? Number.NaN)),
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
    show(parseWorkload(workloadOf(controls)));
    showProblem(undefined);
    if (isTyped) history.replaceState(null, '', `#${toFragment(controls, defaults)}`);
  } catch (error) {
    if (!(error instanceof WorkloadError)) throw error;
    showProblem(problemOf(error.message, controls));
  }
}

const initial = fromFragment(location.hash, defaults);
const set = buildForm(initial, change);
showAssumptions();
// Whatever an address says, there is something to see.
show(data.workload);
change(initial, false);

addEventListener('hashchange', () => {
  const controls = fromFragment(location.hash, defaults);
  set(controls);
  change(controls, false);
});
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  show(shown);
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => show(shown));
place('copy').addEventListener('click', async () => {
  const said = place('copied');
  try {
    await navigator.clipboard.writeText(location.href);
    said.textContent = 'Copied.';
  } catch {
    said.textContent = 'The browser does not let pages copy here: the address bar has it.';
  }
});
