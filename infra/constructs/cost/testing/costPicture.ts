import { readConfig } from '../../../config/config.ts';
import type { Template } from '../../../inProcess.ts';
import { synthesizedTemplates } from '../../../testing/synthesizedTemplates.ts';
import { evaluate, type ShownMetric, type Widget, widgetsOf } from './widgets.ts';

/** Connections of the simulated day, the same for each design. Each connection lasts an hour. */
const [FEWEST, MOST] = [300, 3_000];
const openAt = (hour: number) => FEWEST + (MOST - FEWEST) * Math.sin((Math.PI * hour) / 24) ** 4;

/** What metrics are in five minutes, by name and dimensions, for so many open connections and new ones. */
const PLAYED: readonly (readonly [RegExp, (open: number, opened: number) => number])[] = [
  [/^(ActiveFlowCount|netstat_tcp_established)/, (open) => open],
  [/^(NewFlowCount|sync.latency|Count|IncomingRecords|Invocations.*(Connect|Sync|Http))/, (_, opened) => opened],
  // A ping each 18 seconds, and its answer.
  [/^MessageCount/, (open, opened) => open * (300 / 18) * 2 + opened * 4],
  [/^websocket.connections.duration/, (open) => open * 300_000],
  [/^Invocations/, () => 5],
  [/^Duration/, (_, opened) => opened * 20],
  [/^IncomingBytes/, (_, opened) => opened * 400],
  [/^Consumed.*CapacityUnits/, (_, opened) => 40 + opened * 3],
  [/^NumberOf/, () => 75],
  [/^CPUUtilization InstanceId/, () => 5],
  [/^CPUUtilization ClusterName/, () => 10],
  [/^CPUSurplusCreditsCharged/, () => 0],
  [/^ConsumedLCUs/, (open) => open / 20_000],
];

const COLORS = { serverless: '#1f77b4', 't2.micro': '#d95f02', Fargate: '#1b7f4d' };
const [COLUMN, ROW, STEPS] = [50, 42, 96];

/** Draws the cost dashboard with all designs for the simulated day, as SVG. */
export function drawCostDashboard(): string {
  const config = readConfig({ stage: 'prod', region: 'us-east-1', host: true, fargate: { allowInsecure: true } });
  const widgets = widgetsOf(synthesizedTemplates(config)['Flagwire-prod-Cost'] as Template);
  const bottom = Math.max(...widgets.map(({ y, height }) => y + height)) * ROW;
  const note = `Computed from played data: one day with ${FEWEST} to ${MOST} connections, the same ones for each design.`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${24 * COLUMN} ${bottom + 30}" font-family="sans-serif" font-size="12">`,
    `<title>${note}</title><rect width="100%" height="100%" fill="#f3f4f6"/>`,
    ...widgets.flatMap(drawWidget),
    text(10, bottom + 20, note),
    '</svg>\n',
  ].join('\n');
}

function drawWidget(widget: Widget): string[] {
  const { title = '', view, markdown = '' } = widget.properties;
  const [width, height] = [widget.width * COLUMN - 10, widget.height * ROW - 10];
  const draw = view === 'singleValue' ? drawNumbers : drawLines;
  return [
    `<g transform="translate(${widget.x * COLUMN + 5} ${widget.y * ROW + 5})">`,
    `<rect width="${width}" height="${height}" fill="#fff" stroke="#ccc"/>`,
    text(12, 22, title, 'font-weight="bold"'),
    ...(view
      ? draw(seriesOf(widget), width, height)
      : markdown.split('\n\n').map((line, i) => text(12, 30 + i * 26, line))),
    '</g>',
  ];
}

/** Values over the day, by label. */
type Series = readonly (readonly [label: string, values: readonly number[]])[];

function seriesOf(widget: Widget): Series {
  const points = Array.from({ length: STEPS + 1 }, (_, step) => evaluate(widget, playedAt((step / STEPS) * 24)));
  return Object.keys(points[0] ?? {}).map((label) => [label, points.map((point) => point[label] ?? 0)]);
}

function playedAt(hour: number): (shown: ShownMetric) => number {
  const open = openAt(hour);
  return ({ metric, dimensions }) => {
    const [, played] = PLAYED.find(([pattern]) => pattern.test(`${metric} ${dimensions}`)) ?? [];
    if (!played) throw new Error(`Nothing is played for ${metric} ${dimensions}.`);
    return played(open, open / 12);
  };
}

function drawLines(series: Series, width: number, height: number): string[] {
  const [left, top, right, bottom] = [58, 38, width - 20, height - 22 - series.length * 17];
  const most = Math.max(...series.flatMap(([, values]) => values));
  const xOf = (share: number) => round(left + share * (right - left));
  const yOf = (value: number) => round(bottom - (value / most) * (bottom - top));
  return [
    ...[0, most / 2, most].flatMap((value) => [
      `<path d="M${left} ${yOf(value)}H${right}" stroke="#ddd"/>`,
      text(left - 6, yOf(value) + 4, short(value), 'text-anchor="end"'),
    ]),
    ...[0, 6, 12, 18, 24].map((hour) => text(xOf(hour / 24), bottom + 16, `${hour}:00`, 'text-anchor="middle"')),
    ...series.flatMap(([label, values], index) => [
      `<polyline points="${values.map((value, step) => `${xOf(step / STEPS)},${yOf(value)}`).join(' ')}" fill="none" stroke="${colorOf(label)}" stroke-width="2"/>`,
      text(left, bottom + 34 + index * 17, label.replace(/\$.AVG./, short(mean(values))), `fill="${colorOf(label)}"`),
    ]),
  ];
}

function drawNumbers(series: Series, width: number, height: number): string[] {
  return series.flatMap(([label, values], index) => {
    const x = (width / series.length) * (index + 0.5);
    return [
      text(x, height / 2 + 16, short(mean(values)), 'text-anchor="middle" font-size="30"'),
      text(x, height / 2 + 42, label, `text-anchor="middle" fill="${colorOf(label)}"`),
    ];
  });
}

/** A design has one color in all widgets. */
function colorOf(label: string): string | undefined {
  return Object.entries(COLORS).find(([design]) => label.startsWith(design))?.[1];
}

function text(x: number, y: number, content: string, attributes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${content}</text>`;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const short = (value: number) => Number(value.toPrecision(3)).toString();
const round = (value: number) => Math.round(value * 10) / 10;
