import type { ChartData, ChartLine } from '../../../console/ui/chart.tsx';
import { type Chart, figure, type Series } from '../document.ts';

/** Okabe and Ito's colours, which most colour-blind people tell apart. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999933', '#882255'];
const DASHES = [[], [8, 4], [3, 3], [10, 3, 3, 3]];
const MARKERS = ['solid', 'dashed', 'dotted', 'double'];

/** Points up to which each has a dot. */
const MOST_DOTS = 10;

/** What lines show, in the order of their colours: the same has the same colour in all charts. */
export function colourNames(charts: readonly Chart[]): string[] {
  return [...new Set(charts.flatMap(({ series }) => series.map(colourName)))];
}

/** A report's chart as it is drawn. */
export function chartData(chart: Chart, colours: readonly string[]): ChartData {
  const { x, y, isDate = false, isLogX = false, isLogY = false, series, levels = [], marks } = chart;
  const drawn = new Map<string, number>();
  return {
    ...{ x, y, isDate, isLogX, isLogY },
    lines: series.map((each): ChartLine => {
      const of = colourName(each);
      const kind = each.line ?? drawn.get(of) ?? 0;
      drawn.set(of, kind + 1);
      return {
        name: each.name,
        points: each.points,
        colour: COLOURS[colours.indexOf(of) % COLOURS.length] ?? '',
        dash: DASHES[kind % DASHES.length] ?? [],
        marker: MARKERS[kind % MARKERS.length] ?? 'solid',
        hasDots: each.points.length <= MOST_DOTS,
        format: figure,
        rest: each.rest ?? `most ${figure(Math.max(...each.points.map(([, value]) => value)))}`,
      };
    }),
    levels: levels.map(({ name, at }) => ({ name, at, text: figure(at) })),
    ...(marks ? { marks: marks.at.map((at) => ({ at })), marksName: marks.name } : {}),
    formatX: isDate ? formatDate : figure,
  };
}

function colourName({ of, name }: Series): string {
  return of ?? name;
}

function formatDate(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ');
}
