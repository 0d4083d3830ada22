// Draws each of `charts` where its place is; part of a page, after the chart library.
/* global charts, uPlot */
// Okabe and Ito's colours, which most colour-blind people tell apart.
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#999933', '#882255'];
const dashes = [[], [8, 4], [3, 3], [10, 3, 3, 3]];
const borders = ['solid', 'dashed', 'dotted', 'double'];
const figure = (value) => Number(value.toPrecision(3)).toLocaleString('en');
const shown = [...new Set(charts.flatMap(({ series }) => series.map(({ of, name }) => of ?? name)))];

function draw(chart, place) {
  const style = getComputedStyle(document.body);
  const text = style.color;
  // Without transparency: where lines of the grid meet they would be brighter than what is drawn over them.
  const grid = { stroke: getComputedStyle(place).borderTopColor, width: 1 };
  const { x, y, isLogX, isLogY, series, levels = [] } = chart;
  const xs = [...new Set(series.flatMap(({ points }) => points.map(([at]) => at)))].sort((a, b) => a - b);
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
      points: { show: points.length < 3 },
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
  place.replaceChildren();
  return new uPlot(
    {
      width: Math.max(280, place.clientWidth),
      height: place.clientWidth < 500 ? 260 : 340,
      drawOrder: ['axes', 'series'],
      scales: { x: { time: false, distr: isLogX ? 3 : 1 }, y: { distr: isLogY ? 3 : 1 } },
      axes: [axis(x), { ...axis(y), size: 64 }],
      series: [
        { label: x, value: (_, value) => (value == null ? '' : figure(value)) },
        ...series.map(line),
        ...levels.map(level),
      ],
      legend: { markers: { width: 3, dash: (_, n) => styles[n] ?? 'dotted' } },
    },
    [xs, ...columns, ...levels.map(({ at }) => xs.map(() => at))],
    place,
  );
}

function drawAll() {
  for (const table of document.querySelectorAll('.scroll')) {
    table.previousElementSibling.hidden = table.scrollWidth <= table.clientWidth;
  }
  charts.forEach((chart, n) => {
    draw(chart, document.getElementById(`chart-${n}`));
  });
}

drawAll();
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth === width) return;
  width = innerWidth;
  drawAll();
});
for (const media of ['(prefers-color-scheme: dark)', 'print']) matchMedia(media).addEventListener('change', drawAll);
