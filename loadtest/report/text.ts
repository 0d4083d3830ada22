import { figuresTable } from '../../shared/command/figuresTable.ts';
import { type Document, hasText, type Table } from './document.ts';

/** A report for a terminal: its tables, verdicts and notes; sections that hold charts alone are left out. */
export function renderText({ title, sections }: Document): string {
  const parts = sections
    .filter(hasText)
    .map((section) => [
      section.title,
      ...section.tables.map(renderTable),
      ...section.verdicts.map(({ isGood, text }) => `${isGood ? '✓' : '✗'} ${text}`),
      ...section.notes,
      '',
    ]);
  return [title, '', ...parts.flat()].join('\n');
}

function renderTable({ caption, head, rows }: Table): string {
  return [...(caption === undefined ? [] : [caption]), figuresTable(head, rows)].join('\n');
}
