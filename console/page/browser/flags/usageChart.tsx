import { useMemo } from 'preact/hooks';
import { Chart, type ChartData } from '../../../ui/chart.tsx';
import { DataTable } from '../../../ui/dataTable.tsx';
import { tint } from '../../../ui/shareBar.tsx';
import type { UsageBar } from '../../../usage.ts';
import { spanText, tickText } from '../../logic/chartTexts.ts';

/** Formats a count for an axis or a heading: `1.2k`. */
export const compact = (count: number) =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(count).toLowerCase();

interface UsageChartProps {
  readonly bars: readonly UsageBar[];
  /** What the bars count, with the position of its color. */
  readonly parts: readonly {
    readonly id: string;
    readonly name: string;
    readonly index: number;
    readonly share?: string;
  }[];
  /** Changes in unix milliseconds. */
  readonly changes?: readonly { readonly at: number; readonly text: string }[];
}

/** Evaluations by hour or day in UTC, as stacked bars. */
export function UsageChart({ bars, parts, changes = [] }: UsageChartProps) {
  const content = JSON.stringify([bars, parts, changes]);
  const chart = useMemo((): ChartData => {
    const isHourly = bars[0]?.at.includes('T') ?? false;
    const barWidth = isHourly ? 3_600 : 86_400;
    const middle = (at: string) => Date.parse(isHourly ? `${at}:00:00Z` : at) / 1_000 + barWidth / 2;
    return {
      barWidth,
      lines: parts.map(({ id, name, index, share }) => ({
        name,
        points: bars.map(({ at, counts }) => [middle(at), counts[id] ?? 0] as const),
        colour: tint(index).background,
        isBar: true,
        format: (count) => count.toLocaleString('en'),
        ...(share === undefined ? {} : { summary: share }),
      })),
      marks: changes.map(({ at, text }) => ({ at: at / 1_000, sign: '▾', text })),
      formatX: (at) => timeText(at - barWidth / 2, isHourly),
      summary: spanText(bars),
      tickX: (at) => tickText(at, isHourly),
      tickY: compact,
    };
  }, [content]);
  return (
    <>
      <Chart label="Evaluations over time. The table below has the figures" chart={chart} />
      <details>
        <summary>Figures</summary>
        <DataTable
          head={['UTC', ...parts.map(({ name }) => name)]}
          rows={bars.map(({ at, counts }) => [
            at.replace(/T(.*)/, ' $1:00'),
            ...parts.map(({ id }) => counts[id] ?? 0),
          ])}
        />
      </details>
    </>
  );
}

function timeText(seconds: number, isHourly: boolean): string {
  const time = isHourly ? ({ timeStyle: 'short', hourCycle: 'h23' } as const) : {};
  return `${new Date(seconds * 1_000).toLocaleString(undefined, { timeZone: 'UTC', dateStyle: 'medium', ...time })} UTC`;
}
