import { useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { screenChanges } from './screen.ts';

export interface ChartLine {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly colour: string;
  readonly dash: readonly number[];
  /** Formats the value under the pointer for the legend. */
  readonly format: (value: number) => string;
}

/** Lines over an axis. */
export interface ChartData {
  readonly x: string;
  readonly y: string;
  /** True if x is unix seconds. */
  readonly isDate?: boolean;
  readonly isLogX?: boolean;
  readonly isLogY?: boolean;
  readonly lines: readonly ChartLine[];
  /** True if lines are interrupted at missing points. Otherwise points are connected. */
  readonly hasGaps?: boolean;
  /** Horizontal lines for comparison. */
  readonly levels?: readonly { readonly name: string; readonly at: number; readonly text: string }[];
  /** Vertical lines, with a sign on top. */
  readonly marks?: readonly { readonly at: number; readonly sign?: string }[];
  /** Name of the marks in the legend. Without it, they are not in the legend and have the colour of text. */
  readonly marksName?: string;
  /** Formats x under the pointer for the legend. */
  readonly formatX: (x: number) => string;
  /** Formats labels of ticks. If set, only powers of ten have labels. */
  readonly tickX?: (x: number) => string;
  readonly tickY?: (y: number) => string;
}

interface ChartProps {
  readonly id?: string;
  /** Alternative text. */
  readonly label: string;
  /** Another object redraws the chart. */
  readonly chart: ChartData;
}

/** A chart on a canvas. Show its figures in a table near it. */
export function Chart({ id, label, chart }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!place.current) return;
    const plot = draw(chart, place.current);
    return () => plot.destroy();
  }, [chart, screenChanges.value]);
  return <div ref={place} class="chart" role="img" aria-label={label} {...(id ? { id } : {})} />;
}

/** Starts the axis at zero, so that lengths are comparable. */
const fromZero: uPlot.Scale.Range = (_, _least, most) => [0, 1.05 * (most || 1)];

function draw(chart: ChartData, place: HTMLElement): uPlot {
  const { x, y, isLogX, isLogY, hasGaps = false, lines, levels = [], marks = [], marksName, formatX } = chart;
  // A canvas does not support `light-dark()`. These properties have the resolved colours.
  const { color: text, borderTopColor: gridColour, outlineColor: markColour } = getComputedStyle(place);
  const marksX = marksName === undefined ? [] : marks.map(({ at }) => at);
  const xs = [...new Set([...marksX, ...lines.flatMap(({ points }) => points.map(([at]) => at))])].sort(
    (a, b) => a - b,
  );
  const columns = lines.map(({ points }) => {
    const known = new Map(points);
    return xs.map((at) => known.get(at) ?? null);
  });
  // Without gaps, the last known value holds where a line has none.
  const valueAt = (plot: uPlot, index: number, at: number) =>
    Array.from(plot.data[index] ?? [])
      .slice(hasGaps ? at : 0, at + 1)
      .findLast((each) => typeof each === 'number');
  const series = lines.map(
    ({ name, colour, dash, format }): uPlot.Series => ({
      label: name,
      stroke: colour,
      dash: [...dash],
      width: 2.5,
      spanGaps: !hasGaps,
      points: { show: false },
      value: (plot, _value, index, at) => {
        if (at == null) return '–';
        const value = valueAt(plot, index, at);
        return value == null ? '–' : format(value);
      },
    }),
  );
  const levelSeries = levels.map(
    (level, n): uPlot.Series => ({
      label: level.name,
      value: () => level.text,
      stroke: text,
      dash: [2, 4 + 3 * n],
      width: 1,
      points: { show: false },
    }),
  );
  const markSeries: uPlot.Series[] =
    marksName === undefined
      ? []
      : [{ label: marksName, value: () => String(marks.length), stroke: markColour, width: 2, dash: [3, 3] }];
  return new uPlot(
    {
      width: Math.max(260, place.clientWidth),
      height: place.clientWidth < 500 ? 280 : 360,
      drawOrder: ['axes', 'series'] as never,
      scales: {
        x: { time: chart.isDate ?? false, distr: isLogX ? 3 : 1 },
        y: isLogY ? { distr: 3 } : { range: fromZero },
      },
      axes: [axis(x, text, gridColour, chart.tickX), { ...axis(y, text, gridColour, chart.tickY), size: 64 }],
      series: [
        { label: x, value: (_, at) => (at == null ? '' : formatX(at)) },
        ...series,
        ...levelSeries,
        ...markSeries,
      ],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      hooks: { draw: [(plot) => drawMarks(plot, marks, marksName === undefined ? text : markColour)] },
      legend: { markers: { width: 3, dash: (_, n) => (n <= lines.length ? 'solid' : 'dotted') as never } },
    },
    [
      xs,
      ...columns,
      ...levels.map(({ at }) => xs.map(() => at)),
      ...(marksName === undefined ? [] : [xs.map(() => null)]),
    ],
    place,
  );
}

function axis(label: string, stroke: string, gridColour: string, tick?: (at: number) => string): uPlot.Axis {
  const powers = (_: uPlot, splits: number[]) => splits.map((at) => (isPowerOfTen(at) ? at : null));
  // Without transparency: crossing grid lines would be brighter than the chart's lines.
  const lines = { stroke: gridColour, width: 1, ...(tick ? { filter: powers } : {}) };
  return {
    label,
    stroke,
    grid: lines,
    ticks: lines,
    font: '13px system-ui',
    ...(tick
      ? { filter: powers, values: (_: uPlot, splits: number[]) => splits.map((at) => (at === null ? '' : tick(at))) }
      : {}),
  };
}

function drawMarks({ ctx, bbox, valToPos }: uPlot, marks: NonNullable<ChartData['marks']>, colour: string): void {
  const px = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.font = `bold ${14 * px}px system-ui`;
  ctx.textAlign = 'center';
  ctx.setLineDash([4 * px, 4 * px]);
  for (const { at, sign } of marks) {
    const left = valToPos(at, 'x', true);
    if (left < bbox.left || left > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(left, bbox.top + (sign ? 20 * px : 0));
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
    if (sign) ctx.fillText(sign, left, bbox.top + 14 * px);
  }
  ctx.restore();
}

function isPowerOfTen(at: number): boolean {
  const power = Math.log10(at);
  return Math.abs(power - Math.round(power)) < 1e-9;
}
