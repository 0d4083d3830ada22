import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Marked } from 'marked';
import { figuresTable } from '../../shared/command/figuresTable.ts';
import { markdownTable } from '../../shared/command/markdownTable.ts';
import type { Document, Section, Table } from './document.ts';
import { chooseColours, svgChart } from './svgChart.ts';

/** For a page that a person opens from a folder: light and dark, at the width of a phone too. */
const STYLE =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}' +
  'table{display:block;overflow-x:auto;border-collapse:collapse}th,td{padding:.25rem .75rem;border-bottom:1px solid #8884}' +
  'svg{display:block;max-width:100%;height:auto;margin-top:1rem}';

/**
 * Writes a report as the page `<path>.html`, and as `<path>.md` with charts in `<path>-<n>.svg`.
 *
 * @returns the report for a terminal, without charts
 */
export function writeReport(path: string, report: Document): string {
  mkdirSync(dirname(path), { recursive: true });
  const charts = report.sections.flatMap((section) => section.charts);
  const colours = chooseColours(charts);
  const images = new Map(charts.map((chart, n) => [`${basename(path)}-${n + 1}.svg`, svgChart(chart, colours)]));
  for (const [name, image] of images) writeFileSync(join(dirname(path), name), image);
  const markdown = renderMarkdown(report, basename(path));
  writeFileSync(`${path}.md`, markdown);
  writeFileSync(`${path}.html`, renderPage(markdown, images));
  return [report.title, '', ...report.sections.filter(hasText).map(sectionAsText)].join('\n');
}

/** Writes the figures of a report. */
export function writeJson(path: string, figures: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`);
}

/** A page that needs no network and runs no script. @param images by their file name in the Markdown */
function renderPage(markdown: string, images: ReadonlyMap<string, string>): string {
  const html = ({ text }: { readonly text: string }) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const marked = new Marked({ renderer: { html, image: ({ href }) => images.get(href) ?? '' } });
  const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`;
  const head = `<meta charset="utf-8">${policy}<meta name="viewport" content="width=device-width">`;
  const body = marked.parse(markdown, { async: false });
  return `<!doctype html><html lang="en">${head}<title>Flagwire load test</title><style>${STYLE}</style>${body}</html>\n`;
}

/** The report in Markdown. @param name of its file and of its charts, without extension */
export function renderMarkdown({ title, facts, sections }: Document, name: string): string {
  const list = facts.map(([name, value]) => `- **${name}**: ${value.replaceAll(/https:\S+/g, '<$&>')}`).join('\n');
  return `${[`# ${title}`, ...sectionsAsMarkdown(sections, name), '## How it was measured', list].join('\n\n')}\n`;
}

function sectionsAsMarkdown(sections: readonly Section[], name: string): string[] {
  let drawn = 0;
  return sections.map(({ title, tables, charts, verdicts, notes }) => {
    const lines = [...verdicts.map(verdictText), ...notes].map((line) => `- ${line}`).join('\n');
    const images = charts.map((chart) => `![${chart.title}](${name}-${++drawn}.svg)`);
    const parts = [`## ${title}`, ...tables.map(tableAsMarkdown), lines, ...images];
    return parts.filter((part) => part !== '').join('\n\n');
  });
}

/** A section for a terminal. */
export function sectionAsText({ title, tables, verdicts, notes }: Section): string {
  const texts = tables.flatMap(({ caption = '', head, rows }) => [caption, figuresTable(head, rows)]);
  return [title, ...texts.filter((text) => text !== ''), ...verdicts.map(verdictText), ...notes, ''].join('\n');
}

function hasText({ tables, verdicts, notes }: Section): boolean {
  return tables.length + verdicts.length + notes.length > 0;
}

function verdictText({ isGood, text }: Section['verdicts'][number]): string {
  return `${isGood ? '✓' : '✗'} ${text}`;
}

function tableAsMarkdown({ caption, head, rows }: Table): string {
  const escaped = (cells: readonly (string | number)[]) => cells.map((cell) => String(cell).replaceAll('|', '\\|'));
  const table = markdownTable(escaped(head), rows.map(escaped));
  return caption === undefined ? table : `${caption}\n\n${table}`;
}
