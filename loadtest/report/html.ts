import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Chart, Document, Section, Table } from './document.ts';

/** The heading of the facts. */
const MEASURED = 'How it was measured';

/** A report as one page that needs no network: style, chart library and figures are in it. */
export function renderHtml(report: Document): string {
  return renderPage(report.title, `<div id="report">${renderReport(report)}</div>`, ['draw.js']);
}

/** The same as a page that follows a campaign: it takes newer reports from where it came from. */
export function renderLivePage(report: Document): string {
  const state = '<p id="state" role="status">The campaign goes on, and this page with it.</p>';
  return renderPage(report.title, `${state}<div id="report">${renderReport(report)}</div>`, ['draw.js', 'live.js']);
}

/** What of a page is the report, with the figures of its charts. */
export function renderReport({ title, facts, sections }: Document): string {
  const charts = sections.flatMap((section) => section.charts);
  let number = 0;
  const body = sections.map((section, n) => renderSection(section, n, () => number++));
  const contents = [...sections.map((section) => section.title), MEASURED].map(
    (name, n) => `<li><a href="#section-${n}">${escapeHtml(name)}</a></li>`,
  );
  const list = facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<h1>${escapeHtml(title)}</h1>
<nav aria-label="Contents"><ul>${contents.join('')}</ul></nav>
${body.join('\n')}
<section id="section-${sections.length}"><h2>${MEASURED}</h2><dl>${list.join('')}</dl></section>
<script type="application/json" id="charts">${escapeScript(JSON.stringify(charts))}</script>`;
}

function renderPage(title: string, body: string, scripts: readonly string[]): string {
  const require = createRequire(import.meta.url);
  const library = readFileSync(require.resolve('uplot/dist/uPlot.iife.min.js'), 'utf8');
  const libraryStyle = readFileSync(require.resolve('uplot/dist/uPlot.min.css'), 'utf8');
  const own = (name: string) => readFileSync(join(import.meta.dirname, 'browser', name), 'utf8');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${libraryStyle}${own('style.css')}</style>
<body>
<main>
${body}
</main>
<script>${library}</script>
${scripts.map((name) => `<script>${own(name)}</script>`).join('\n')}
</body>
</html>
`;
}

function renderSection(section: Section, place: number, number: () => number): string {
  const { title, tables, charts, verdicts, notes } = section;
  const lines = [
    ...verdicts.map(({ isGood, text }) => `<li class="${isGood ? 'good' : 'bad'}">${escapeHtml(text)}</li>`),
    ...notes.map((note) => `<li>${escapeHtml(note)}</li>`),
  ];
  return `<section id="section-${place}">
<h2>${escapeHtml(title)}</h2>
${tables.map(renderTable).join('\n')}
${lines.length > 0 ? `<ul>${lines.join('')}</ul>` : ''}
${charts.map((chart) => renderPlace(chart, number())).join('\n')}
</section>`;
}

function renderTable({ caption, head, rows }: Table): string {
  const cells = (tag: string, row: readonly (string | number)[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escapeHtml(String(cell))}</${tag}>`).join('')}</tr>`;
  const title = caption === undefined ? '' : `<p class="caption">${escapeHtml(caption)}</p>`;
  const label = caption === undefined ? '' : ` aria-label="${escapeHtml(caption)}"`;
  return `${title}<p class="hint" hidden>More columns: scroll sideways →</p><div class="scroll" tabindex="0"><table${label}><thead>${cells('th', head)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table></div>`;
}

function renderPlace({ title }: Chart, number: number): string {
  const label = escapeHtml(`${title}; a table of this section has its figures`);
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><div id="chart-${number}" role="img" aria-label="${label}"></div></figure>`;
}

/** Text as it stands in a page. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** JSON as it stands in a script: it must not end it. */
function escapeScript(json: string): string {
  return json.replaceAll('<', '\\u003c');
}
