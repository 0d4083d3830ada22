import { ARCHITECTURES, type Architecture } from '../../../cost/model/report/compare.ts';
import { count, type Figures, PERIODS } from '../../../cost/model/workload/figures.ts';
import type { ChartData } from '../../ui/chart.tsx';

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
  readonly marks?: ChartData['marks'];
  readonly format: (at: number) => string;
  readonly figures: Figures;
}

/** Costs on logarithmic axes. */
export function costChart({ x, points, marks = [], format, figures }: CostChart): ChartData {
  const lines = DRAWN.map((each) => ({
    name: ARCHITECTURES[each],
    colour: COLOURS[each],
    dash: DASHES[each],
    points: points.flatMap(({ at, usd: { [each]: usd } }): [number, number][] =>
      usd === undefined ? [] : [[at, usd * PERIODS[figures.period]]],
    ),
    format: figures.money,
  }));
  return {
    x,
    y: `US dollars a ${figures.period}`,
    isLogX: true,
    isLogY: true,
    hasGaps: true,
    lines: lines.filter((line) => line.points.length > 0),
    marks,
    formatX: format,
    tickX: short,
    tickY: (usd) => `$${short(usd)}`,
  };
}

function short(at: number): string {
  if (at >= 1e9) return `${at / 1e9} B`;
  if (at >= 1e6) return `${at / 1e6} M`;
  if (at >= 1e3) return `${at / 1e3} k`;
  return count(at);
}
