/** The content of a report, without its layout. */
export interface Document {
  readonly title: string;
  /** Facts that apply to the whole report: machine, versions, parameters. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly sections: readonly Section[];
}

/** A part of a report. */
export interface Section {
  readonly title: string;
  readonly tables: readonly Table[];
  readonly charts: readonly Chart[];
  readonly verdicts: readonly Verdict[];
  /** Notes that a reader needs to interpret the figures. */
  readonly notes: readonly string[];
}

/** Columns and rows. The first column names the row. */
export interface Table {
  readonly caption?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

/** The result of a check. */
export interface Verdict {
  readonly isGood: boolean;
  readonly text: string;
}

/** A line chart. A table of its section contains its figures. */
export interface Chart {
  readonly title: string;
  /** Axes with their units. */
  readonly x: string;
  readonly y: string;
  readonly isLogX?: boolean;
  readonly isLogY?: boolean;
  readonly series: readonly Series[];
  /** Horizontal lines for comparison. */
  readonly levels?: readonly { readonly name: string; readonly at: number }[];
  /** Points with a label. */
  readonly marks?: readonly { readonly name: string; readonly at: readonly [x: number, y: number] }[];
}

/** One line of a chart. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [number, number])[];
  /** The lowest and the highest value at an x. */
  readonly ranges?: readonly (readonly [x: number, low: number, high: number])[];
  /** The subject. Lines of the same subject have the same color in all charts. */
  readonly of: string;
  /** Index of the line style. */
  readonly line: number;
  /** True for a gray line. */
  readonly isMuted?: boolean;
  /** Figures for the legend, or an empty text. */
  readonly rest: string;
}

/** A section. Parts that are not given are empty. */
export function makeSection(title: string, parts: Partial<Section>): Section {
  return { title, tables: [], charts: [], verdicts: [], notes: [], ...parts };
}

/** A time with its unit. Short ones are in milliseconds. Below one of them, one digit means something. */
export function formatSeconds(value: number): string {
  if (value >= 1) return `${figure(value)} s`;
  return `${value < 0.001 ? Number((value * 1_000).toPrecision(1)) : figure(value * 1_000)} ms`;
}

/** A ratio in two significant digits: `0.42 ×`. */
export function times(ratio: number): string {
  return `${figure(Number(ratio.toPrecision(2)))} ×`;
}

/** Three significant digits, the precision of measured figures. A dash if there is no figure. */
export function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  const rounded = Number(value.toPrecision(3));
  return Math.abs(rounded) >= 1_000 ? Math.round(value).toLocaleString('en') : String(rounded);
}
