// Draws the page's charts where their places are; part of a page, after the chart library.
/* global uPlot */
// Okabe and Ito's colours, which most colour-blind people tell apart.
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999933', '#882255'];
const dashes = [[], [8, 4], [3, 3], [10, 3, 3, 3]];
const borders = ['solid', 'dashed', 'dotted', 'double'];
// What is half of something else is to look so.
const fromZero = (_, _least, most) => [0, 1.05 * (most || 1)];
const dateOf = (seconds) => new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ');
const figure = (value) => Number(value.toPrecision(3)).toLocaleString('en');

function draw(chart, place, shown) {
  const style = getComputedStyle(document.body);
  const text = style.color;
  const crossed = getComputedStyle(place).outlineColor;
  // Without transparency: where lines of the grid meet they would be brighter than what is drawn over them.
  const grid = { stroke: getComputedStyle(place).borderTopColor, width: 1 };
  const { x, y, isDate = false, isLogX, isLogY, series, levels = [], marks } = chart;
  const xs = [...new Set([...(marks?.at ?? []), ...series.flatMap(({ points }) => points.map(([at]) => at))])].sort(
    (a, b) => a - b,
  );
  const columns = series.map(({ points }) => {
    const known = new Map(points);
    return xs.map((at) => known.get(at) ?? null);
  });
  const axis = (label) => ({ label, stroke: text, grid, ticks: grid });
  const seen = new Map();
  const styles = ['solid'];
  /** What the legend says: where it is pointed at the last known value, and otherwise what holds for all of it. */
  const valued = (rest) => (plot, value, series, at) =>
    at == null ? rest : figure(value ?? plot.data[series].slice(0, at).findLast((each) => each !== null) ?? 0);
  const line = ({ name, of, line, rest, points }) => {
    const nth = line ?? seen.get(of ?? name) ?? 0;
    seen.set(of ?? name, nth + 1);
    styles.push(borders[nth % borders.length]);
    const stroke = colours[shown.indexOf(of ?? name) % colours.length];
    return {
      label: name,
      stroke,
      dash: dashes[nth % dashes.length],
      width: 2,
      spanGaps: true,
      points: { show: points.length <= 10 },
      value: valued(rest ?? `most ${figure(Math.max(...points.map(([, value]) => value)))}`),
    };
  };
  const level = ({ name, at }, n) => ({
    label: name,
    value: () => figure(at),
    stroke: text,
    dash: [2, 4 + 3 * n],
    width: 1,
    points: { show: false },
  });
  const mark = ({ name, at }) => ({
    label: name,
    value: () => figure(at.length),
    stroke: crossed,
    width: 2,
    dash: [3, 3],
  });
  const drawMarks = ({ ctx, bbox, valToPos }) => {
    ctx.save();
    ctx.strokeStyle = crossed;
    ctx.setLineDash([3, 3]);
    for (const at of marks?.at ?? []) {
      const left = valToPos(at, 'x', true);
      ctx.beginPath();
      ctx.moveTo(left, bbox.top);
      ctx.lineTo(left, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  };
  return new uPlot(
    {
      width: Math.max(280, place.clientWidth),
      height: place.clientWidth < 500 ? 260 : 340,
      drawOrder: ['axes', 'series'],
      scales: { x: { time: isDate, distr: isLogX ? 3 : 1 }, y: isLogY ? { distr: 3 } : { range: fromZero } },
      axes: [axis(x), { ...axis(y), size: 64 }],
      series: [
        { label: x, value: (_, value) => (value == null ? '' : isDate ? dateOf(value) : figure(value)) },
        ...series.map(line),
        ...levels.map(level),
        ...(marks ? [mark(marks)] : []),
      ],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
      hooks: { draw: [drawMarks] },
      legend: { markers: { width: 3, dash: (_, n) => styles[n] ?? 'dotted' } },
    },
    [xs, ...columns, ...levels.map(({ at }) => xs.map(() => at)), ...(marks ? [xs.map(() => null)] : [])],
    place,
  );
}

let plots = [];
function drawAll() {
  // The library holds on to each, and listens to the window for it, until it is told.
  for (const plot of plots) plot.destroy();
  for (const table of document.querySelectorAll('.scroll')) {
    table.previousElementSibling.hidden = table.scrollWidth <= table.clientWidth;
  }
  const charts = JSON.parse(document.getElementById('charts').textContent);
  const shown = [...new Set(charts.flatMap(({ series }) => series.map(({ of, name }) => of ?? name)))];
  plots = charts.map((chart, n) => draw(chart, document.getElementById(`chart-${n}`), shown));
}

drawAll();
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  drawAll();
});
for (const media of ['(prefers-color-scheme: dark)', 'print']) matchMedia(media).addEventListener('change', drawAll);
