import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Chart, Document, Section, Table } from './document.ts';

/** A report as one page that needs no network: style, chart library and figures are in it. */
export function renderHtml({ title, facts, sections }: Document): string {
  const require = createRequire(import.meta.url);
  const library = readFileSync(require.resolve('uplot/dist/uPlot.iife.min.js'), 'utf8');
  const libraryStyle = readFileSync(require.resolve('uplot/dist/uPlot.min.css'), 'utf8');
  const own = (name: string) => readFileSync(join(import.meta.dirname, 'browser', name), 'utf8');
  const charts = sections.flatMap((section) => section.charts);
  let number = 0;
  const body = sections.map((section) => renderSection(section, () => number++));
  const list = facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${libraryStyle}${own('style.css')}</style>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body.join('\n')}
<section><h2>How it was measured</h2><dl>${list.join('')}</dl></section>
</main>
<script>${library}</script>
<script>const charts = ${escapeScript(JSON.stringify(charts))};
${own('draw.js')}</script>
</body>
</html>
`;
}

function renderSection({ title, tables, charts, verdicts, notes }: Section, number: () => number): string {
  const lines = [
    ...verdicts.map(({ isGood, text }) => `<li class="${isGood ? 'good' : 'bad'}">${escapeHtml(text)}</li>`),
    ...notes.map((note) => `<li>${escapeHtml(note)}</li>`),
  ];
  return `<section>
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
  return `${title}<div class="scroll" tabindex="0"><table${label}><thead>${cells('th', head)}</thead><tbody>${rows.map((row) => cells('td', row)).join('')}</tbody></table></div>`;
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
