import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Machine } from '../report.ts';
import { type Chart, formatBound, isKept, type Result } from './result.ts';

/** All that a page tells. */
export interface Report {
  readonly machine: Machine;
  readonly at: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly results: readonly Result[];
}

/** One self-contained page: it needs no network, and every chart stands beside its table. */
export function renderPage({ machine, at, parameters, results }: Report): string {
  const require = createRequire(import.meta.url);
  const library = readFileSync(require.resolve('uplot/dist/uPlot.iife.min.js'), 'utf8');
  const style = readFileSync(require.resolve('uplot/dist/uPlot.min.css'), 'utf8');
  const charts = results.flatMap((result) => result.charts);
  let chart = 0;
  const sections = results.map((result) => renderResult(result, () => chart++));
  const conditions = [`${machine.cpu}, ${machine.cores} cores`, `Node ${machine.node}`, at, JSON.stringify(parameters)];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The host, measured</title>
<style>${style}${STYLE}</style>
<h1>The host, measured</h1>
<p>${escapeHtml(conditions.join(' · '))}</p>
${sections.join('\n')}
<script>${library}</script>
<script>const charts = ${escapeScript(JSON.stringify(charts))};${DRAW}</script>
</html>
`;
}

function renderResult({ title, head, rows, bounds, invalid, notes, charts }: Result, number: () => number): string {
  const cells = (tag: string, row: readonly (string | number)[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(String(cell))}</${tag}>`).join('')}</tr>`;
  const lines = [
    ...bounds.map((bound) => `<li class="${isKept(bound) ? 'kept' : 'broken'}">${escapeHtml(formatBound(bound))}</li>`),
    ...invalid.map((why) => `<li class="broken">INVALID: ${escapeHtml(why)}</li>`),
    ...notes.map((note) => `<li>${escapeHtml(note)}</li>`),
  ];
  return `<section>
<h2>${escapeHtml(title)}</h2>
<div class="scroll"><table><thead>${cells('th', head)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table></div>
<ul>${lines.join('')}</ul>
${charts.map((chart) => `<figure><figcaption>${escapeHtml(chart.title)}</figcaption>${renderPlace(chart, number())}</figure>`).join('\n')}
</section>`;
}

function renderPlace(chart: Chart, number: number): string {
  return `<div id="chart-${number}" role="img" aria-label="${escapeHtml(`${chart.title}; the table above has the figures`)}"></div>`;
}

/** Text as it stands in a page. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** JSON as it stands in a script: it must not end it. */
function escapeScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#222, #ddd); --line: light-dark(#ccc, #444); }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: light-dark(#fff, #161616); max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .6rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
.scroll { overflow-x: auto; }
.kept::marker { content: '✓ '; color: green; }
.broken { font-weight: bold; color: light-dark(#b00, #f77); }
figure { margin: 1rem 0; } figcaption { font-weight: 600; }
.u-legend { text-align: left; }
`;

/** Draws each chart where its place is; levels become series of one value. */
const DRAW = `
const colours = ['#e69f00', '#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#999933', '#882255', '#44aa99'];
const text = getComputedStyle(document.body).color;
charts.forEach(({ x, y, isLogarithmic, series, levels = [] }, number) => {
  const place = document.getElementById('chart-' + number);
  const xs = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))].sort((a, b) => a - b);
  const values = series.map(({ points }) => { const known = new Map(points); return xs.map((at) => known.get(at) ?? null); });
  const flat = levels.map(({ at }) => xs.map(() => at));
  const axis = (label) => ({ label, stroke: text, grid: { stroke: '#8884' }, ticks: { stroke: '#8884' } });
  const line = ({ name }, i) => ({ label: name, stroke: colours[i % colours.length], width: 2, spanGaps: true });
  const level = ({ name }, i) => ({ label: name, stroke: text, dash: [4 + 4 * i, 4], width: 1 });
  new uPlot({
    width: Math.min(1000, place.clientWidth || 1000), height: 340,
    scales: { x: { time: false }, y: isLogarithmic ? { distr: 3 } : {} },
    axes: [axis(x), axis(y)],
    series: [{ label: x }, ...series.map(line), ...levels.map(level)],
  }, [xs, ...values, ...flat], place);
});
`;
