import CliTable from 'cli-table3';
import type { Document, Table } from './document.ts';

/** A report for a terminal: its tables, verdicts and notes. */
export function renderText({ title, sections }: Document): string {
  const parts = sections.map((section) => [
    section.title,
    ...section.tables.map(renderTable),
    ...section.verdicts.map(({ isGood, text }) => `${isGood ? '✓' : '✗'} ${text}`),
    ...section.notes,
    '',
  ]);
  return [title, '', ...parts.flat()].join('\n');
}

function renderTable({ caption, head, rows }: Table): string {
  const table = new CliTable({ head: [...head], style: { head: [], border: [] } });
  table.push(...rows.map((row) => row.map(String)));
  return [...(caption === undefined ? [] : [caption]), table.toString()].join('\n');
}
