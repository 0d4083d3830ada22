import { type Chart, figure, type Series } from './document.ts';

/** Okabe and Ito's colors, which most people with color blindness can distinguish. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999933', '#882255'];
const MUTED = '#888';
const DASHES = ['', '12 6', '4 5', '14 4 4 4'];

/** Maximum number of points of a line that shows a dot at each point. */
const MOST_DOTS = 10;

/** Units of the view box. At a width of 390 px, text of 20 units has 12 px. */
const WIDTH = 640;
const BOX = { left: 84, right: 600, top: 76, bottom: 330 };
const LEGEND_TOP = 412;
const LEGEND_ROW = 28;

const STYLE =
  '.svg-chart text{font:20px system-ui,sans-serif;fill:#1f2328}.svg-chart .title{font-weight:600}.svg-chart .grid{stroke:#d8dde3}.svg-chart .level{stroke:#1f2328}' +
  '@media(prefers-color-scheme:dark){.svg-chart text{fill:#e6e8ed}.svg-chart .grid{stroke:#39414b}.svg-chart .level{stroke:#e6e8ed}}';

/** The subjects of all lines, in the order of their colors. */
export function colourNames(charts: readonly Chart[]): string[] {
  return [...new Set(charts.flatMap(({ series }) => series.filter(({ isMuted }) => !isMuted).map(({ of }) => of)))];
}

/** Draws a chart as an SVG image for light and dark pages. @param colours subjects, in the order of their colors */
export function svgChart(chart: Chart, colours: readonly string[] = colourNames([chart])): string {
  const { title, x, y, isLogX = false, isLogY = false, series, levels = [], marks = [] } = chart;
  const points = series.flatMap((line) => line.points);
  const ranges = series.flatMap(({ ranges: all = [] }) => all.flatMap(([, low, high]) => [low, high]));
  const across = makeAxis(
    [...points, ...marks.map(({ at }) => at)].map(([at]) => at),
    isLogX,
    BOX.left,
    BOX.right,
  );
  const values = [...points.map(([, value]) => value), ...ranges, ...levels.map(({ at }) => at)];
  const up = makeAxis(isLogY ? values : [0, ...values], isLogY, BOX.bottom, BOX.top);
  const legend = placeLegend(series);
  const height = LEGEND_TOP + LEGEND_ROW * (legend.at(-1)?.row ?? 0) + 16;
  const drawLine = (line: Series) => {
    const colour = colourOf(line, colours);
    const path = line.points.map(([at, value]) => `${across.place(at)},${up.place(value)}`);
    const dots = path.length > MOST_DOTS ? [] : path.map((each) => each.split(','));
    return [
      `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="3" stroke-linejoin="round"${dash(line)}/>`,
      ...(line.ranges ?? []).map(
        ([at, low, high]) =>
          `<path d="M${across.place(at)} ${up.place(low)}V${up.place(high)}" stroke="${colour}" stroke-width="2"/>`,
      ),
      ...dots.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="4.5" fill="${colour}"/>`),
    ];
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="svg-chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE}</style>`,
    text(0, 22, title, 'class="title"'),
    text(0, 54, y),
    ...up.ticks.flatMap((at) => [
      `<path class="grid" d="M${BOX.left} ${up.place(at)}H${BOX.right}"/>`,
      text(BOX.left - 10, up.place(at) + 7, tick(at), 'text-anchor="end"'),
    ]),
    ...across.ticks.map((at) => text(across.place(at), BOX.bottom + 26, tick(at), 'text-anchor="middle"')),
    text((BOX.left + BOX.right) / 2, BOX.bottom + 54, x, 'text-anchor="middle"'),
    ...levels.flatMap(({ at, name }) => [
      `<path class="level" d="M${BOX.left} ${up.place(at)}H${BOX.right}" stroke-dasharray="3 5"/>`,
      text(BOX.left + 6, up.place(at) - 7, name),
    ]),
    ...series.flatMap(drawLine),
    ...marks.flatMap(({ at: [atX, atY], name }) => [
      `<circle class="level" cx="${across.place(atX)}" cy="${up.place(atY)}" r="6" fill="none" stroke-width="2"/>`,
      text(across.place(atX) - 10, up.place(atY) - 10, name, 'text-anchor="end"'),
    ]),
    ...legend.flatMap(({ line, label, left, row }) => {
      const top = LEGEND_TOP + LEGEND_ROW * row;
      const stroke = `stroke="${colourOf(line, colours)}" stroke-width="4"${dash(line)}`;
      return [`<path d="M${left} ${top - 7}h36" ${stroke}/>`, text(left + 44, top, label)];
    }),
    '</svg>\n',
  ].join('\n');
}

/** Positions of values between two ends, and the values with a label. */
function makeAxis(values: readonly number[], isLog: boolean, from: number, to: number) {
  const known = values.filter((value) => Number.isFinite(value) && (!isLog || value > 0));
  const [low, high] = known.length > 0 ? [Math.min(...known), Math.max(...known)] : [1, 10];
  const ticks = isLog ? logTicks(low, high) : linearTicks(low, high);
  const scale = isLog ? (value: number) => Math.log10(Math.max(value, Number.MIN_VALUE)) : (value: number) => value;
  const [least, most] = [scale(Math.min(low, ticks[0] ?? low)), scale(Math.max(high, ticks.at(-1) ?? high))];
  const place = (value: number) =>
    Number((from + ((scale(value) - least) / (most - least || 1)) * (to - from)).toFixed(1));
  return { ticks, place };
}

/** Powers of ten around the values. */
function logTicks(low: number, high: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  return Array.from({ length: Math.max(last - first, 1) + 1 }, (_, n) => Number(`1e${first + n}`));
}

/** At most seven multiples of 1, 2 or 5 times a power of ten around the values. */
function linearTicks(low: number, high: number): number[] {
  const rough = (high - low || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: Math.max(last - first, 1) + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

/** Rows of a legend that fit the width. */
function placeLegend(series: readonly Series[]) {
  let [left, row] = [0, 0];
  return series.map((line) => {
    const label = line.rest === '' ? line.name : `${line.name}: ${line.rest}`;
    const width = 64 + 10.2 * label.length;
    if (left > 0 && left + width > WIDTH) [left, row] = [0, row + 1];
    const placed = { line, label, left, row };
    left += width;
    return placed;
  });
}

function colourOf({ of, isMuted }: Series, colours: readonly string[]): string {
  return isMuted ? MUTED : (COLOURS[colours.indexOf(of) % COLOURS.length] ?? MUTED);
}

function dash({ line }: Series): string {
  const pattern = DASHES[line % DASHES.length];
  return pattern ? ` stroke-dasharray="${pattern}"` : '';
}

function tick(at: number): string {
  return at >= 10_000 ? `${figure(at / 1_000)}k` : figure(at);
}

function text(x: number, y: number, content: string, more = ''): string {
  return `<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
