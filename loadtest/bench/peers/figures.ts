import type { RunInfo } from '../../../dev/support/runInfo.ts';
import { median } from '../../../shared/statistics/quantile.ts';
import { figure, times } from '../../report/document.ts';
import all from './figures.json' with { type: 'json' };
import type { measureScale } from './scale.ts';

type Kind = 'rate' | 'time' | 'size';

/** The figures of each server. */
export const FIGURES: Readonly<Record<FigureName, { readonly label: string; readonly kind: Kind }>> = all as never;
export type FigureName = keyof typeof all;
export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[];

/** A figure in one round. */
export interface Sample {
  readonly value: number;
  /** For rates: the share of a core that the server used. */
  readonly cpu?: number;
  /** True if the value is a lower bound: the load generator used its whole core, or the server did not. */
  readonly isAtLeast?: boolean;
}
export type Samples = Partial<Record<FigureName, Sample[]>>;

/** A figure of an entry. */
export interface Figure {
  /** The value of each round. */
  readonly runs: readonly number[];
  readonly median: number;
  /** For rates: the median for each CPU second of the server. */
  readonly perProcessorSecond?: number;
  /** As a multiple of bare Bun's figure in the same run. For rates, for each CPU second. */
  readonly toBareBun?: number;
  readonly isAtLeast?: boolean;
}
export type Figures = Partial<Record<FigureName, Figure>>;

/** The contents of `sizes.json`: what Flagwire's host takes at several sizes. CPU is in cores, times are in milliseconds. */
export interface Sizes {
  readonly stamp: RunInfo;
  /** New connections at a rate, each with a data-sync. `opened`: the rate that was reached */
  readonly storms: readonly {
    readonly rate: number;
    readonly opened: number;
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly cpu: number;
    readonly errors: number;
  }[];
  /** Open connections that ping like SDKs. */
  readonly held: readonly { readonly connections: number; readonly cpu: number }[];
  /** A change to open connections, from its acknowledgement to the last of them. */
  readonly changes: readonly { readonly connections: number; readonly p50Ms: number; readonly p99Ms: number }[];
  readonly scale: Awaited<ReturnType<typeof measureScale>>;
}

/** Summarizes the rounds of a server. */
export function makeFigures(samples: Samples, bare: Samples = {}): Figures {
  const figures = FIGURE_NAMES.flatMap((name): [FigureName, Figure][] => {
    const found = samples[name] ?? [];
    const value = summarize(found);
    if (value === undefined) return [];
    const { kind } = FIGURES[name];
    const perCpu = kind === 'rate' ? perProcessorSecond(found) : undefined;
    const compared = { rate: perProcessorSecond, time: summarize, size: () => undefined }[kind];
    const [own, other] = [compared(found), compared(bare[name] ?? [])];
    const made: Figure = {
      runs: found.map((each) => round(each.value)),
      median: round(value),
      ...(perCpu !== undefined && { perProcessorSecond: round(perCpu) }),
      ...(own !== undefined && other !== undefined && other > 0 && { toBareBun: round(own / other) }),
      ...(found.some(({ isAtLeast }) => isAtLeast) && { isAtLeast: true }),
    };
    return [[name, made]];
  });
  return Object.fromEntries(figures);
}

/** Whether a figure is better than another one, relative to bare Bun if both are. */
export function isBetter(name: FigureName, figure: Figure, other: Figure): boolean {
  const isRelative = figure.toBareBun !== undefined && other.toBareBun !== undefined;
  const [one = 0, two = 0] = isRelative ? [figure.toBareBun, other.toBareBun] : [figure.median, other.median];
  return FIGURES[name].kind === 'rate' ? one > two : one < two;
}

/** A figure in a table: the median in three digits, and as a multiple of bare Bun's. A dash if there is none. */
export function formatFigure(found: Figure | undefined): string {
  if (!found) return '–';
  const toBare = found.toBareBun === undefined ? '' : ` (${times(found.toBareBun)})`;
  return `${found.isAtLeast ? 'at least ' : ''}${figure(Number(found.median.toPrecision(3)))}${toBare}`;
}

const medianOf = (values: readonly number[]) => (values.length === 0 ? undefined : median(values));

const summarize = (samples: readonly Sample[]) => medianOf(samples.map(({ value }) => value));

const perProcessorSecond = (samples: readonly Sample[]) =>
  medianOf(samples.flatMap(({ value, cpu = 0 }) => (cpu > 0 ? [value / cpu] : [])));

const round = (value: number) => Number(value.toPrecision(4));
