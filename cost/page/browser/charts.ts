import uPlot from 'uplot';
import { ARCHITECTURES, type Architecture } from '../../model/compare.ts';
import { count, type Figures, PERIODS } from '../../model/figures.ts';

/** Okabe and Ito's colours, which most colour-blind people tell apart; each architecture has its own everywhere. */
export const COLOURS: Readonly<Record<Architecture, string>> = {
  serverless: '#0072b2',
  t2: '#d55e00',
  fleet: '#009e73',
  fargate: '#cc79a7',
  spot: '#b08900',
};

const DASHES: Readonly<Record<Architecture, number[]>> = {
  serverless: [],
  t2: [2, 3],
  fleet: [8, 4],
  fargate: [12, 3, 3, 3],
  spot: [4, 4],
};

/** In the order they are drawn: one machine costs what a fleet of one does, and its dots lie on the fleet's dashes. */
const DRAWN: readonly Architecture[] = ['serverless', 'spot', 'fargate', 'fleet', 't2'];

/** Costs along an axis, a line for each architecture. */
interface CostChart {
  readonly x: string;
  readonly points: readonly { readonly at: number; readonly usd: Readonly<Partial<Record<Architecture, number>>> }[];
  /** Where on the axis things are to be marked, with one sign each. */
  readonly marks: readonly { readonly at: number; readonly sign: string }[];
  readonly format: (at: number) => string;
  readonly figures: Figures;
}

const drawn = new Map<HTMLElement, uPlot>();

/** Draws a chart with logarithmic axes into a place, in place of the one that is there. */
export function drawCosts(place: HTMLElement, { x, points, marks, format, figures }: CostChart): void {
  const periodCost = (usd: number | undefined) => (usd === undefined ? null : usd * PERIODS[figures.period]);
  drawn.get(place)?.destroy();
  const style = getComputedStyle(document.body);
  // A canvas takes no `light-dark()`: what the browser made of it is in a border.
  const [text, line] = [style.color, style.borderTopColor];
  const architectures = DRAWN.filter((each) => points.some(({ usd }) => usd[each] !== undefined));
  const powers = (_: uPlot, splits: number[]) => splits.map((at) => (isPower(at) ? at : null));
  const lines = { stroke: line, width: 1, filter: powers };
  const axis = { stroke: text, grid: lines, ticks: lines, font: '13px system-ui' };
  const chart = new uPlot(
    {
      width: Math.max(260, place.clientWidth),
      height: place.clientWidth < 500 ? 300 : 380,
      scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
      axes: [
        {
          ...axis,
          label: x,
          filter: powers,
          values: (_, splits) => splits.map((at) => (at === null ? '' : short(at))),
        },
        {
          ...axis,
          label: `US dollars a ${figures.period}`,
          size: 64,
          filter: powers,
          values: (_, splits) => splits.map((at) => (at === null ? '' : `$${short(at)}`)),
        },
      ],
      series: [
        { label: x, value: (_, at) => (at === null ? '–' : format(at)) },
        ...architectures.map((each) => ({
          label: ARCHITECTURES[each],
          stroke: COLOURS[each],
          dash: DASHES[each],
          width: 2.5,
          points: { show: false },
          value: (_: uPlot, usd: number | null) => (usd === null ? '–' : figures.money(usd)),
        })),
      ],
      legend: { markers: { width: 3 } },
      hooks: { draw: [(plot) => drawMarks(plot, marks, text)] },
    },
    [points.map(({ at }) => at), ...architectures.map((each) => points.map(({ usd }) => periodCost(usd[each])))],
    place,
  );
  drawn.set(place, chart);
}

function drawMarks(plot: uPlot, marks: CostChart['marks'], colour: string): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.font = `bold ${14 * devicePixelRatio}px system-ui`;
  ctx.textAlign = 'center';
  ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const { at, sign } of marks) {
    const left = plot.valToPos(at, 'x', true);
    if (left < bbox.left || left > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(left, bbox.top + 20 * devicePixelRatio);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(sign, left, bbox.top + 14 * devicePixelRatio);
  }
  ctx.restore();
}

function isPower(at: number): boolean {
  const power = Math.log10(at);
  return Math.abs(power - Math.round(power)) < 1e-9;
}

function short(at: number): string {
  if (at >= 1e9) return `${at / 1e9} B`;
  if (at >= 1e6) return `${at / 1e6} M`;
  if (at >= 1e3) return `${at / 1e3} k`;
  return count(at);
}
