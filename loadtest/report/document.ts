import { measureSpread } from '../measure/spread.ts';

/** A report as what it says; how it looks is the business of its renderers. */
export interface Document {
  readonly title: string;
  /** What holds for all of it: machine, versions, parameters. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly sections: readonly Section[];
}

/** A part of a report. */
export interface Section {
  readonly title: string;
  readonly tables: readonly Table[];
  readonly charts: readonly Chart[];
  /** What was held against a bound. */
  readonly verdicts: readonly Verdict[];
  /** What a reader must know to read the figures right. */
  readonly notes: readonly string[];
}

/** Columns and rows; the first column names the row. */
export interface Table {
  readonly caption?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** A statement that is good or bad. */
export interface Verdict {
  readonly isGood: boolean;
  readonly text: string;
}

/** Lines over an axis; its figures also stand in a table of its section. */
export interface Chart {
  readonly title: string;
  /** Axes with their units. */
  readonly x: string;
  readonly y: string;
  /** Whether x is unix seconds. */
  readonly isDate?: boolean;
  readonly isLogX?: boolean;
  readonly isLogY?: boolean;
  readonly series: readonly Series[];
  /** Levels for comparison, along the y axis. */
  readonly levels?: readonly { readonly name: string; readonly at: number }[];
  /** Places along the x axis that have no figure. */
  readonly marks?: { readonly name: string; readonly at: readonly number[] };
}

/** One line of a chart. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
  /** What it shows, for its colour: the same has the same in all charts. */
  readonly of?: string;
  /** Which kind of line it is drawn with, from 0. Without it, the next of what has the same colour. */
  readonly line?: number;
  /** What stands in the legend as long as nobody points at a place; by default its largest value. */
  readonly rest?: string;
}

/** Whether a section says anything where charts cannot be drawn. */
export function hasText({ tables, verdicts, notes }: Section): boolean {
  return tables.length + verdicts.length + notes.length > 0;
}

/** Three significant digits, as many as measured figures are good for; a dash where there is none. */
export function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  const rounded = Number(value.toPrecision(3));
  return Math.abs(rounded) >= 1_000 ? Math.round(value).toLocaleString('en') : String(rounded);
}

/** The median of several runs, with the least and the most of more than one; a dash where there is none. */
export function figureOfRuns(values: readonly number[]): string {
  const spread = measureSpread(values);
  const range = spread && spread.runs > 1 ? ` (${figure(spread.min)} – ${figure(spread.max)})` : '';
  return `${figure(spread?.median)}${range}`;
}
