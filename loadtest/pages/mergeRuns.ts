import type { Result } from '../bench/host/result.ts';
import { figure } from '../report/document.ts';

/** Figures in a text. */
const FIGURE = /\d[\d,]*(?:\.\d+)?/g;

/** One measurement over all its runs. */
export interface Merged {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Each result's bounds, by their names. */
  readonly bounds: Result['bounds'][];
  readonly notes: readonly string[];
  readonly invalid: readonly string[];
  readonly charts: Result['charts'];
}

/**
 * Runs of the same measurements as one result each: figures that differ stand side by side, in the order of runs. Where runs have different
 * rows, the last one's stand alone.
 */
export function mergeRuns(results: readonly Result[]): Merged[] {
  const named = Map.groupBy(results, ({ title }) => title.replace(/ \(run \d+\)$/, ''));
  return [...named].map(([title, runs]) => {
    const last = runs.at(-1) as Result;
    const tables = runs.map(({ rows }) => rows.map((row) => row.map(textOf)));
    return {
      title,
      head: last.head,
      rows: mergeTables(tables) ?? (tables.at(-1) as string[][]),
      bounds: runs.map(({ bounds }) => bounds),
      notes: last.notes.flatMap((_, n) => mergeNotes(runs.map(({ notes }) => notes[n] ?? ''))),
      invalid: runs.flatMap(({ invalid }, n) => invalid.map((why) => `run ${n + 1}: ${why}`)),
      charts: last.charts,
    };
  });
}

/** Texts that differ in their figures only, as one: `33 %` and `31 %` are `33 · 31 %`. @returns undefined for others */
export function mergeTexts(texts: readonly string[]): string | undefined {
  const [first = '', ...others] = texts;
  if (others.some((text) => text.replace(FIGURE, '#') !== first.replace(FIGURE, '#'))) return undefined;
  const figures = texts.map((text) => text.match(FIGURE) ?? []);
  let n = 0;
  return first.replace(FIGURE, () => {
    const here = figures.map((all) => all[n] as string);
    n++;
    return new Set(here).size === 1 ? (here[0] as string) : here.join(' · ');
  });
}

function mergeTables(tables: readonly string[][][]): string[][] | undefined {
  const [first = []] = tables;
  const rows = first.map((row, y) => row.map((_, x) => mergeTexts(tables.map((table) => table[y]?.[x] ?? ''))));
  const isSame =
    tables.every(({ length }) => length === first.length) && rows.flat().every((cell) => cell !== undefined);
  return isSame ? (rows as string[][]) : undefined;
}

function mergeNotes(notes: readonly string[]): string[] {
  const merged = mergeTexts(notes);
  return merged === undefined ? [...new Set(notes)] : [merged];
}

function textOf(cell: string | number): string {
  // JSON has no number for what could not be measured.
  return typeof cell === 'string' ? cell : figure(cell);
}
