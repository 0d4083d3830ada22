import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inlinePage } from '../../cost/page/inlinePage.ts';
import { figuresTable } from '../../shared/command/figuresTable.ts';
import { markdownTable } from '../../shared/command/markdownTable.ts';
import type { Document, Section, Table } from './document.ts';

/** Writes a report as `<path>.html` and `<path>.md`. @returns the report for a terminal: its tables, verdicts and notes */
export function writeReport(path: string, report: Document): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.html`, renderHtml(report));
  writeFileSync(`${path}.md`, renderMarkdown(report));
  return [report.title, '', ...report.sections.filter(hasText).map(sectionAsText)].join('\n');
}

/** Writes the figures of a report. */
export function writeJson(path: string, figures: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(figures, null, 2)}\n`);
}

/** A page that needs no network: it contains its script, style and figures. */
function renderHtml(report: Document): string {
  const source = (name: string) => join(import.meta.dirname, 'browser', name);
  return inlinePage({ title: report.title, script: source('main.tsx'), style: source('style.css'), data: report });
}

/** The report without its charts. */
export function renderMarkdown({ title, facts, sections }: Document): string {
  const list = facts.map(([name, value]) => `- **${name}**: ${value.replaceAll(/https:\S+/g, '<$&>')}`).join('\n');
  return `${[`# ${title}`, ...sectionsAsMarkdown(sections), '## How it was measured', list].join('\n\n')}\n`;
}

/** The Markdown of sections. Omits sections that contain charts only. */
function sectionsAsMarkdown(sections: readonly Section[]): string[] {
  return sections.filter(hasText).map(({ title, tables, verdicts, notes }) => {
    const lines = [...verdicts.map(verdictText), ...notes].map((line) => `- ${line}`).join('\n');
    return [`## ${title}`, ...tables.map(tableAsMarkdown), ...(lines === '' ? [] : [lines])].join('\n\n');
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
