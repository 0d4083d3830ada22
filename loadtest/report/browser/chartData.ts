import type { ChartData, ChartLine } from '../../../console/ui/chart.tsx';
import { type Chart, figure } from '../document.ts';

/** Okabe and Ito's colors, which most people with color blindness can distinguish. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999933', '#882255'];
const DASHES = [[], [8, 4], [3, 3], [10, 3, 3, 3]];
const MARKERS = ['solid', 'dashed', 'dotted', 'double'];

/** Maximum number of points of a line that shows a dot at each point. */
const MOST_DOTS = 10;

/** The subjects of all lines, in the order of their colors. */
export function colourNames(charts: readonly Chart[]): string[] {
  return [...new Set(charts.flatMap(({ series }) => series.map(({ of }) => of)))];
}

/** A report's chart for the chart component. */
export function chartData(
  { x, y, isLogX = false, isLogY = false, series }: Chart,
  colours: readonly string[],
): ChartData {
  return {
    ...{ x, y, isLogX, isLogY },
    lines: series.map(({ name, points, of, line, rest }): ChartLine => {
      return {
        name,
        points,
        colour: COLOURS[colours.indexOf(of) % COLOURS.length] ?? '',
        dash: DASHES[line % DASHES.length] ?? [],
        marker: MARKERS[line % MARKERS.length] ?? 'solid',
        hasDots: points.length <= MOST_DOTS,
        format: figure,
        rest,
      };
    }),
    formatX: figure,
  };
}
