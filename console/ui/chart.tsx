import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

export interface ChartLine {
  readonly name: string;
  /** Without a point, the line is interrupted. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** A color of CSS. */
  readonly colour: string;
  readonly dash?: readonly number[];
  /** True for bars that are centered at their points. */
  readonly isBar?: boolean;
  /** Formats the value under the pointer for the legend. */
  readonly format: (value: number) => string;
  /** Value in the legend while the pointer is elsewhere. */
  readonly summary?: string;
}

/** Lines or bars over time, or over a logarithmic axis. If all are bars, they are stacked. */
export interface ChartData {
  /** True for two logarithmic axes, on which only powers of ten have labels. Otherwise, x is unix seconds. */
  readonly isLog?: boolean;
  /** Name of the vertical axis. */
  readonly y?: string;
  /** Distance of points with bars. */
  readonly barWidth?: number;
  /** Start of the axis, if it is before the first point. */
  readonly from?: number;
  readonly lines: readonly ChartLine[];
  /** Vertical lines with a sign on top. The legend shows their texts. */
  readonly marks?: readonly { readonly at: number; readonly sign: string; readonly text?: string }[];
  /** Formats x under the pointer for the legend. */
  readonly formatX: (x: number) => string;
  /** Shown in its place while the pointer is elsewhere. */
  readonly summary?: string;
  readonly tickX: (x: number) => string;
  readonly tickY: (y: number) => string;
}

interface ChartProps {
  readonly id?: string;
  /** Alternative text. */
  readonly label: string;
  /** Another object redraws the chart. */
  readonly chart: ChartData;
}

/** Counts changes of the window's width and colours, after which charts are drawn again. */
const screenChanges = signal(0);
const changed = () => {
  screenChanges.value++;
};
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth !== width) changed();
  width = innerWidth;
});
for (const media of ['(prefers-color-scheme: dark)', 'print']) matchMedia(media).addEventListener('change', changed);
// A choice of light or dark in the page is a style of the root.
new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ['style'] });

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
const fromZero: uPlot.Scale.Range = (_, _least, most) => [0, 1.08 * (most || 1)];
/** Distances of ticks: counts are whole. */
const WHOLE = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((each) => each * 10 ** power)).flat();

function draw(chart: ChartData, place: HTMLElement): uPlot {
  const { isLog = false, y, barWidth = 0, lines, marks = [], formatX, summary = '' } = chart;
  // A canvas supports neither variables nor `light-dark()`. This property has the resolved color.
  const colourOf = (colour: string) => {
    place.style.outlineColor = colour;
    return getComputedStyle(place).outlineColor;
  };
  const [text, gridColour] = [colourOf('var(--muted)'), colourOf('var(--line)')];
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(([at]) => at)))].sort((a, b) => a - b);
  const values = lines.map(({ points }) => {
    const known = new Map(points);
    return xs.map((at) => known.get(at) ?? null);
  });
  // Each is drawn over those before it.
  const stacked = (n: number) => xs.map((_, at) => values.slice(n).reduce((sum, column) => sum + (column[at] ?? 0), 0));
  const columns = lines.every(({ isBar }) => isBar) ? values.map((_, n) => stacked(n)) : values;
  const bars = uPlot.paths.bars?.({ size: [0.75, 48] });
  const series = lines.map(({ name, colour, dash = [], isBar = false, format, summary = '–' }, n): uPlot.Series => {
    const stroke = colourOf(colour);
    return {
      label: name,
      stroke,
      dash: [...dash],
      width: isBar ? 0 : 2,
      ...(isBar && bars ? { fill: stroke, paths: bars } : {}),
      points: { show: false },
      value: (_plot, _value, _series, at) => {
        const value = at == null ? undefined : values[n]?.[at];
        return value == null ? summary : format(value);
      },
    };
  });
  const textAt = (at: number | null) => {
    if (at == null) return String(marks.length);
    const here = marks.filter((mark) => Math.abs(mark.at - (xs[at] ?? 0)) <= barWidth / 2);
    return here.map((mark) => mark.text).join(', ') || '–';
  };
  const markSeries: uPlot.Series[] = marks.some((mark) => mark.text !== undefined)
    ? [{ label: 'changes', value: (_plot, _value, _series, at) => textAt(at), stroke: text, width: 1, dash: [3, 3] }]
    : [];
  const powers = isLog ? { filter: onlyPowers } : {};
  const axis = { stroke: text, font: '12px system-ui', labelFont: '12px system-ui', ...powers };
  const grid = { stroke: gridColour, width: 1, ...powers };
  return new uPlot(
    {
      width: Math.max(260, place.clientWidth),
      height: isLog ? 205 : 230,
      drawOrder: ['axes', 'series'] as never,
      scales: {
        x: {
          time: !isLog,
          distr: isLog ? 3 : 1,
          range: (_, least, most) => [Math.min(least, chart.from ?? least) - barWidth / 2, most + barWidth / 2],
        },
        y: isLog ? { distr: 3 } : { range: fromZero },
      },
      axes: [
        { ...axis, values: labelsOf(chart.tickX), grid: { ...grid, show: isLog }, ticks: grid },
        {
          ...axis,
          ...(y && { label: y, labelSize: 20 }),
          ...(isLog ? {} : { incrs: WHOLE }),
          values: labelsOf(chart.tickY),
          grid,
          ticks: { ...grid, show: isLog },
          size: y ? 64 : 52,
        },
      ],
      series: [{ value: (_, at) => (at == null ? summary : formatX(at)) }, ...series, ...markSeries],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      cursor: { drag: { x: false, y: false }, y: false, points: { show: barWidth === 0 } },
      hooks: { draw: [(plot) => drawMarks(plot, marks, colourOf('var(--text)'))] },
      legend: { markers: { width: 1.5, dash: (_, n) => swatchOf(lines[n - 1]) as never } },
    },
    [xs, ...columns, ...markSeries.map(() => xs.map(() => null))],
    place,
  );
}

/** The border of the sample of a line in the legend. Without a line: of marks. */
function swatchOf(line: ChartLine | undefined): string {
  return line ? (line.dash?.length ? 'dashed' : 'solid') : 'dotted';
}

function labelsOf(tick: (at: number) => string) {
  return (_: uPlot, splits: (number | null)[]) => splits.map((at) => (at === null ? '' : tick(at)));
}

function onlyPowers(_: uPlot, splits: number[]): (number | null)[] {
  return splits.map((at) => {
    const power = Math.log10(at);
    return Math.abs(power - Math.round(power)) < 1e-9 ? at : null;
  });
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
    ctx.moveTo(left, bbox.top + 20 * px);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(sign, left, bbox.top + 14 * px);
  }
  ctx.restore();
}
