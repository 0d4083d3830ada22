import { markdownTable } from '../../shared/command/markdownTable.ts';
import { type Document, hasText, type Section, type Table } from './document.ts';

/** A report for docs: its tables and notes, without its charts. */
export function renderMarkdown({ title, facts, sections }: Document): string {
  const list = facts.map(([name, value]) => `- **${name}**: ${value}`);
  return [
    `# ${title}`,
    ...sections.filter(hasText).map(renderSection),
    '## How it was measured',
    list.join('\n'),
    '',
  ].join('\n\n');
}

function renderSection({ title, tables, verdicts, notes }: Section): string {
  const lines = [
    ...verdicts.map(({ isGood, text }) => `- ${isGood ? '✓' : '✗'} ${text}`),
    ...notes.map((note) => `- ${note}`),
  ];
  return [`## ${title}`, ...tables.map(renderTable), ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n');
}

function renderTable({ caption, head, rows }: Table): string {
  const escaped = (cells: readonly (string | number)[]) => cells.map((cell) => String(cell).replaceAll('|', '\\|'));
  const table = markdownTable(escaped(head), rows.map(escaped));
  return caption === undefined ? table : `${caption}\n\n${table}`;
}
