import { sumOf } from '../../shared/statistics/sumOf.ts';
import { type Chart, figure, type Series } from './document.ts';

/** Okabe and Ito's colors, which most people with color blindness can distinguish. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999933', '#882255'];
export const MUTED = '#888';
const DASHES = ['', '7 4', '3 4', '10 3 3 3'];

/** Maximum number of points of a line that shows a dot at each point. */
const MOST_DOTS = 10;

/** Pixels. A phone shows the wide one with text of 8 px, so pages have the narrow one for it. */
const WIDTHS = { wide: 640, narrow: 360 };
const BOX = { left: 62, top: 60, bottom: 318 };
/** Width of what is between a line and its label: the way to the label, and a sample of the line. */
const STROKES = { leading: 12, sample: 18 };
const MOST_LEADING = 60;

/** Pixels between the ranges of two lines. */
const BETWEEN_RANGES = 6;

const STYLE =
  '.svg-chart text{font:15px system-ui,sans-serif;fill:#1f2328}.svg-chart .title{font-weight:600}.svg-chart .grid{stroke:#d8dde3}.svg-chart .level{stroke:#1f2328}' +
  '@media(prefers-color-scheme:dark){.svg-chart text{fill:#e6e8ed}.svg-chart .grid{stroke:#39414b}.svg-chart .level{stroke:#e6e8ed}}';

/** Colors by subject. */
export type Colours = Readonly<Record<string, string>>;

/** The colors of the subjects of all lines, in the order in which they come. */
export function chooseColours(charts: readonly Chart[]): Colours {
  const lines = charts.flatMap(({ series }) => series.filter(({ isMuted }) => !isMuted));
  const subjects = [...new Set(lines.map(({ of }) => of))];
  return Object.fromEntries(subjects.map((each, n) => [each, COLOURS[n % COLOURS.length] ?? MUTED]));
}

/**
 * Draws a chart as an SVG image for light and dark pages.
 *
 * @param colours of the subjects of lines
 * @param width with `narrow`, the labels of lines are under the chart
 */
export function svgChart(
  chart: Chart,
  colours: Colours = chooseColours([chart]),
  width: keyof typeof WIDTHS = 'wide',
): string {
  const isWide = width === 'wide';
  const imageWidth = WIDTHS[width];
  const { title, x, y, isLogX = false, isLogY = false, series, levels = [], marks = [] } = chart;
  const points = series.flatMap((line) => line.points);
  const ranges = series.flatMap(({ ranges: all = [] }) => all.flatMap(([, low, high]) => [low, high]));
  const labels = series.map((line) => makeLabel(line, LABEL_CHARACTERS[width]));
  const lengths = labels.flatMap(({ texts }) => texts.map(({ length }) => length));
  const labelWidth = STROKES.leading + STROKES.sample + 12 + CHARACTER * Math.max(0, ...lengths);
  const right = Math.floor(imageWidth - (isWide ? labelWidth : HALF_TICK));
  const labelHeight = sumOf(labels, ({ height }) => height);
  const bottom = Math.max(BOX.bottom, isWide ? BOX.top + labelHeight : 0);
  const legendTop = bottom + BELOW;
  const height = legendTop + (isWide ? 0 : labelHeight);
  // Ranges at the same x are next to each other.
  const between = ranges.length > 0 ? BETWEEN_RANGES : 0;
  const inset = (between * (series.length - 1)) / 2;
  const across = makeAxis(
    [...points, ...marks.map(({ at }) => at)].map(([at]) => at),
    isLogX,
    BOX.left + inset,
    right - inset,
  );
  const values = [...points.map(([, value]) => value), ...ranges, ...levels.map(({ at }) => at)];
  const up = makeAxis(isLogY ? values : [0, ...values], isLogY, bottom, BOX.top);
  const placed = ([at, value]: Place, shift = 0): Place => [oneDigit(across.place(at) + shift), up.place(value)];
  const shifts = series.map((_, n) => between * n - inset);
  const paths = series.map((line, n) => line.points.map((each) => placed(each, shifts[n])));
  const bars = series.map(({ ranges: all = [] }, n) =>
    all.map(([at, ...ends]) => ends.map((end) => placed([at, end], shifts[n]))),
  );
  const ends = paths.map((path) => path.at(-1) ?? [BOX.left, bottom]);
  const endYs = ends.map(([, endY]) => endY);
  const tops = isWide
    ? placeLabels(labels, endYs, BOX.top - 12, bottom + 12)
    : labels.map((_, n) => legendTop + sumOf(labels.slice(0, n), (label) => label.height));
  const drawLine = (line: Series, path: readonly Place[], bars: readonly (readonly Place[])[]) => {
    const stroke = `fill="none" stroke="${colourOf(line, colours)}"`;
    const dots = path.length > MOST_DOTS ? [] : path;
    return [
      `<polyline points="${path.join(' ')}" ${stroke} stroke-width="2.5" stroke-linejoin="round"${dash(line)}/>`,
      ...bars.map((bar) => `<polyline points="${bar.join(' ')}" ${stroke} stroke-width="1.5"/>`),
      ...dots.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3.5" fill="${colourOf(line, colours)}"/>`),
    ];
  };
  const drawLabel = (line: Series, { texts, height }: Label, [endX, endY]: Place, top: number) => {
    const stroke = `fill="none" stroke="${colourOf(line, colours)}"`;
    const [left, middle] = [isWide ? right + STROKES.leading : 0, top + height / 2];
    return [
      // A line that ends far from its label is not led to it: it would cross others.
      ...(endX < right - MOST_LEADING || !isWide ? [] : [`<path d="M${endX} ${endY}L${left} ${middle}" ${stroke}/>`]),
      `<path d="M${left} ${middle}h${STROKES.sample}" ${stroke} stroke-width="2.5"${dash(line)}/>`,
      ...texts.map((each, row) => text(left + STROKES.sample + 6, top + LINE_HEIGHT * (row + 1) - 1, each)),
    ];
  };
  return [
    ...beginSvg(imageWidth, height, title),
    text(0, 42, y),
    ...up.ticks.flatMap((at) => [
      `<path class="grid" d="M${BOX.left} ${up.place(at)}H${right}"/>`,
      text(BOX.left - 8, up.place(at) + 5, tick(at), 'text-anchor="end"'),
    ]),
    ...across.ticks.map((at) => text(across.place(at), bottom + 22, tick(at), 'text-anchor="middle"')),
    text((BOX.left + right) / 2, bottom + 44, x, 'text-anchor="middle"'),
    ...levels.flatMap(({ at, name }) => [
      `<path class="level" d="M${BOX.left} ${up.place(at)}H${right}" stroke-dasharray="3 5"/>`,
      text(BOX.left + GAP, up.place(at) - GAP, name),
    ]),
    ...series.flatMap((line, n) => drawLine(line, paths[n] ?? [], bars[n] ?? [])),
    ...series.flatMap((line, n) => drawLabel(line, labels[n] as Label, ends[n] as Place, tops[n] as number)),
    ...marks.flatMap(({ at, name }) => {
      const [cx, cy] = placed(at);
      return [
        `<circle class="level" cx="${cx}" cy="${cy}" r="5" fill="none" stroke-width="2"/>`,
        text(cx - 8, cy - 10, name, 'text-anchor="end"'),
      ];
    }),
    '</svg>\n',
  ].join('\n');
}

/** The first lines of an image, with its title and style. */
export function beginSvg(width: number, height: number, title: string): string[] {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="svg-chart" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style>`,
    text(0, 16, title, 'class="title"'),
  ];
}

/** Positions of values between two ends, and the values with a label. */
function makeAxis(values: readonly number[], isLog: boolean, from: number, to: number) {
  const known = values.filter((value) => Number.isFinite(value) && (!isLog || value > 0));
  const [low, high] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [1, 10];
  const ticks = isLog ? logTicks(low, high) : linearTicks(low, high);
  const scale = isLog ? (value: number) => Math.log10(Math.max(value, Number.MIN_VALUE)) : (value: number) => value;
  const [least, most] = [scale(Math.min(low, ticks[0] ?? low)), scale(Math.max(high, ticks.at(-1) ?? high))];
  const place = (value: number) => oneDigit(from + ((scale(value) - least) / (most - least || 1)) * (to - from));
  return { ticks, place };
}

function oneDigit(value: number): number {
  return Number(value.toFixed(1));
}

/** Powers of ten around the values. */
function logTicks(low: number, high: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  return Array.from({ length: Math.max(last - first, 1) + 1 }, (_, n) => Number(`1e${first + n}`));
}

/** At most seven multiples of 1, 2 or 5 times a power of ten around the values. */
function linearTicks(low: number, high: number): number[] {
  if (low === high) return [low];
  const rough = (high - low || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: Math.max(last - first, 1) + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

function colourOf({ of, isMuted }: Series, colours: Colours): string {
  return isMuted ? MUTED : (colours[of] ?? MUTED);
}

function dash({ line }: Series): string {
  const pattern = DASHES[line % DASHES.length];
  return pattern ? ` stroke-dasharray="${pattern}"` : '';
}

function tick(at: number): string {
  return at >= 100_000 ? `${figure(at / 1_000)}k` : figure(at);
}

export function text(x: number, y: number, content: string, more = ''): string {
  return `<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Height of a line of text of 15 px, and the width of a character in a wide font. */
const LINE_HEIGHT = 18;
const CHARACTER = 8.4;
const LABEL_CHARACTERS = { wide: 20, narrow: 38 };
const GAP = 6;
/** Height of what is below the lines, and half of the width of a number under them. */
const BELOW = 54;
const HALF_TICK = 28;

/** A place in a chart, in pixels. */
type Place = readonly [x: number, y: number];

/** The text next to the end of a line. */
interface Label {
  readonly texts: readonly string[];
  readonly height: number;
}

/** The label of a series: its name and figures, in lines of about so many characters. */
function makeLabel({ name, rest }: Series, characters: number): Label {
  const label = rest ? `${name}: ${rest}` : name;
  const texts: string[] = [];
  // A figure stays with the word before it and with its unit.
  for (const word of label.split(/ (?!\d|ms$)/)) {
    const last = texts.at(-1);
    if (last === undefined || last.length + 1 + word.length > characters) texts.push(word);
    else texts[texts.length - 1] = `${last} ${word}`;
  }
  return { texts, height: LINE_HEIGHT * texts.length + GAP };
}

/** Tops of labels between two heights, each as near to the end of its line as the others allow. */
function placeLabels(labels: readonly Label[], ends: readonly number[], from: number, to: number): number[] {
  const all = labels.map(({ height }, n) => ({ n, height, top: (ends[n] ?? to) - height / 2 }));
  const sorted = all.toSorted((a, b) => a.top + a.height / 2 - b.top - b.height / 2);
  let free = from;
  for (const each of sorted) {
    each.top = Math.max(free, each.top);
    free = each.top + each.height;
  }
  let limit = to;
  for (const each of sorted.toReversed()) limit = each.top = Math.min(each.top, limit - each.height);
  return all.map(({ top }) => Math.round(top));
}
