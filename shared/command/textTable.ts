import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { sumOf } from '../statistics/sumOf.ts';
import { wrapText } from './wrapText.ts';

const GAP = '  ';

/** A cell that is longer than its column takes at most this many lines of a table. */
const MOST_LINES = 8;

/** A style of Node's `styleText`. */
export type Style = Parameters<typeof styleText>[0];
type StyleOf = (cell: string) => Style | undefined;

/** How a table is shown. */
export interface TableOptions {
  /** Characters in a line of the terminal. Undefined for a pipe or a file, which gets tab-separated values. */
  readonly width?: number | undefined;
  /** Headings of columns that are dropped from a table that is too wide, the first one first. Empty columns are never shown. */
  readonly minor?: readonly string[];
  /** True to align columns with digits, except the first one, to the right. */
  readonly areFigures?: boolean;
  readonly styleOf?: StyleOf;
}

interface Column {
  readonly name: string;
  readonly cells: readonly string[];
  readonly width: number;
  /** Its longest word, which is never broken. */
  readonly least: number;
}

/** The characters in a line of the terminal: 80 if it does not say. Undefined if the output is a pipe or a file. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
}

/** The lines of a table that fits the terminal, with cells wrapped between words, or else a paragraph for each row. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width, minor = [], areFigures = false, styleOf = () => undefined }: TableOptions,
): string[] {
  if (width === undefined) return rows.map((row) => row.join('\t'));
  const all = head
    .map((name, n): Column => {
      const cells = rows.map((row) => row[n] ?? '');
      const widest = (texts: readonly string[]) => Math.max(...texts.map((text) => stringWidth(text)));
      const least = widest([name, ...cells].flatMap((text) => text.split(' ')));
      return { name, cells, width: widest([name, ...cells]), least };
    })
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const shown = minor.reduce<readonly Column[]>(
    (left, dropped) => (totalWidth(left) > width ? left.filter(({ name }) => name !== dropped) : left),
    all,
  );
  const whole = shown.map((column, n) => (n === 0 ? { ...column, least: column.width } : column));
  const isShort = (column: Column) =>
    column.cells.every((cell) => wrapText(cell, '', column.width).length <= MOST_LINES);
  const columns = (areFigures ? [shown] : [whole, shown])
    .map((each) => fitColumns(each, width))
    .find((each) => totalWidth(each) <= width && each.every(isShort));
  if (!columns) return rows.flatMap((_, n) => paragraph(all, n, width, styleOf));
  const linesOf = (cellOf: (column: Column) => string, styled: StyleOf) => {
    const cells = columns.map((column) => wrapText(cellOf(column), '', column.width));
    return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, row) =>
      columns
        .map((column, n) => {
          const part = cells[n]?.[row] ?? '';
          const space = ' '.repeat(column.width - stringWidth(part));
          return areFigures && n > 0 && column.cells.some((cell) => /\d/.test(cell))
            ? space + paint(styled(part), part)
            : paint(styled(part), part) + space;
        })
        .join(GAP)
        .trimEnd(),
    );
  };
  return [
    ...linesOf(
      ({ name }) => name,
      () => 'bold',
    ),
    ...rows.flatMap((_, n) => linesOf(({ cells }) => cells[n] ?? '', styleOf)),
  ];
}

/** A text in a style, if the terminal has colors and `NO_COLOR` is not set. */
export function paint(style: Style | undefined, text: string): string {
  return style === undefined || text === '' ? text : styleText(style, text);
}

function totalWidth(columns: readonly Column[]): number {
  return sumOf(columns, ({ width }) => width) + GAP.length * (columns.length - 1);
}

/** Shortens the widest columns until all fit, or each has its least width. */
function fitColumns(columns: readonly Column[], width: number): readonly Column[] {
  const widest = columns.filter((each) => each.width > each.least).toSorted((a, b) => b.width - a.width)[0];
  const tooMuch = totalWidth(columns) - width;
  if (!widest || tooMuch <= 0) return columns;
  const shorter = { ...widest, width: Math.max(widest.least, widest.width - Math.ceil(tooMuch / columns.length)) };
  return fitColumns(
    columns.map((column) => (column === widest ? shorter : column)),
    width,
  );
}

/** A text in at most so many columns of a terminal. A cut one ends with `…`. */
export function shorten(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (stringWidth(kept + character) >= width) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A row as lines: its first cell, then each other cell with its heading. */
function paragraph(columns: readonly Column[], row: number, width: number, styleOf: StyleOf): string[] {
  return columns.flatMap(({ name, cells }, column) => {
    const cell = cells[row] ?? '';
    if (column === 0) return wrapText(cell, '', width).map((line) => paint('bold', line));
    return (cell === '' ? [] : wrapText(`${name}: ${cell}`, '', width - 4)).map((line, n) => {
      const indent = ' '.repeat(Math.max(0, Math.min(n === 0 ? 2 : 4, width - stringWidth(line))));
      const end = line.endsWith(cell) ? cell : '';
      return indent + line.slice(0, line.length - end.length) + paint(styleOf(cell), end);
    });
  });
}
