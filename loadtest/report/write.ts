import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { figuresTable } from '../../shared/command/figuresTable.ts';
import { markdownTable } from '../../shared/command/markdownTable.ts';
import type { Document, Section, Table } from './document.ts';
import { colourNames, svgChart } from './svgChart.ts';

/** Writes a report as `<path>.md`, with charts in `<path>-<n>.svg`. @returns the report for a terminal, without charts */
export function writeReport(path: string, report: Document): string {
  mkdirSync(dirname(path), { recursive: true });
  const charts = report.sections.flatMap((section) => section.charts);
  const colours = colourNames(charts);
  for (const [n, chart] of charts.entries()) writeFileSync(`${path}-${n + 1}.svg`, svgChart(chart, colours));
  writeFileSync(`${path}.md`, renderMarkdown(report, basename(path)));
  return [report.title, '', ...report.sections.filter(hasText).map(sectionAsText)].join('\n');
}

/** Writes the figures of a report. */
export function writeJson(path: string, figures: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`);
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
