import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { sumOf } from '../statistics/sumOf.ts';

const GAP = '  ';

/** A shortened column keeps at least this many characters. */
const LEAST_WIDTH = 16;

/** In a terminal with fewer characters, each row of a table that does not fit without its minor columns becomes a paragraph. */
const NARROW = 100;

/** A style of Node's `styleText`. */
export type Style = Parameters<typeof styleText>[0];

/** How a table is shown. */
export interface TableOptions {
  /** Characters in a line of the terminal. Undefined for a pipe or a file, which gets tab-separated values. */
  readonly width?: number | undefined;
  /** Headings of columns that are dropped from a table that is too wide, the first one first. Empty columns are never shown. */
  readonly minor?: readonly string[];
  /** True to align all columns except the first one to the right. */
  readonly areFigures?: boolean;
  readonly styleOf?: (cell: string) => Style | undefined;
}

interface Column {
  readonly name: string;
  readonly cells: readonly string[];
  readonly width: number;
}

/** The characters in a line of the terminal. Undefined if the output is a pipe or a file. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}

/** The lines of a table that fits the terminal. Cells are single lines. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width, minor = [], areFigures = false, styleOf = () => undefined }: TableOptions,
): string[] {
  if (width === undefined) return rows.map((row) => row.join('\t'));
  const all = head
    .map((name, n): Column => {
      const cells = rows.map((row) => row[n] ?? '');
      return { name, cells, width: Math.max(...[name, ...cells].map((text) => stringWidth(text))) };
    })
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const shown = minor.reduce<readonly Column[]>(
    (left, dropped) => (totalWidth(left) > width ? left.filter(({ name }) => name !== dropped) : left),
    all,
  );
  const columns = fitColumns(shown, width);
  const isTooNarrow = totalWidth(columns) > width || (totalWidth(shown) > width && width < NARROW);
  if (isTooNarrow) return rows.flatMap((_, n) => paragraph(all, n, styleOf));
  const line = (cellOf: (column: Column) => string, styled: (cell: string) => Style | undefined) =>
    columns
      .map((column, n) => {
        const cell = shorten(cellOf(column), column.width);
        const space = ' '.repeat(column.width - stringWidth(cell));
        return areFigures && n > 0 ? space + paint(styled(cell), cell) : paint(styled(cell), cell) + space;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      ({ name }) => name,
      () => 'bold',
    ),
    ...rows.map((_, n) => line(({ cells }) => cells[n] ?? '', styleOf)),
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
  const widest = columns.toSorted((a, b) => b.width - a.width)[0];
  const tooMuch = totalWidth(columns) - width;
  if (!widest || tooMuch <= 0 || widest.width <= LEAST_WIDTH) return columns;
  const shorter = { ...widest, width: Math.max(LEAST_WIDTH, widest.width - tooMuch) };
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
function paragraph(
  [first, ...others]: readonly Column[],
  row: number,
  styleOf: (cell: string) => Style | undefined,
): string[] {
  const cells = others.map(({ name, cells }) => [name, cells[row] ?? ''] as const);
  return [
    paint('bold', first?.cells[row] ?? ''),
    ...cells.filter(([, cell]) => cell !== '').map(([name, cell]) => `  ${name}: ${paint(styleOf(cell), cell)}`),
  ];
}
