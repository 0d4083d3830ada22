import type { Template } from '../../../inProcess.ts';
import { textOf } from '../../../stacks/testing/textOf.ts';

/** What a row of a widget says of itself, after its metric if it is one. */
interface RowSettings {
  readonly id?: string;
  readonly label?: string;
  readonly expression?: string;
  readonly stat?: string;
  readonly visible?: boolean;
}

/** A widget of a dashboard, as far as it is read here. */
export interface Widget {
  readonly type: 'metric' | 'text';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly properties: {
    readonly title?: string;
    readonly view?: string;
    readonly metrics?: readonly unknown[][];
    readonly markdown?: string;
  };
}

/** A metric of a widget. */
export interface ShownMetric {
  readonly namespace: string;
  readonly metric: string;
  readonly statistic: string;
  /** `<dimension> <value>` for each dimension, as textOf renders them. */
  readonly dimensions: string;
}

/** Seconds in which CloudWatch gathers what a graph shows. */
export const PERIOD = 300;

/** The widgets of a stack's one dashboard. */
export function widgetsOf({ Resources }: Template): Widget[] {
  const dashboard = Object.values(Resources).find(({ Type }) => Type === 'AWS::CloudWatch::Dashboard');
  return JSON.parse(textOf(dashboard?.Properties?.['DashboardBody'])).widgets;
}

/** The metrics of a widget, each as often as it has it. */
export function metricsOf({ properties: { metrics = [] } }: Widget): (ShownMetric & { readonly id: string })[] {
  return metrics
    .filter(([namespace]) => typeof namespace === 'string')
    .map((row) => {
      const [namespace, metric, ...dimensions] = row.slice(0, -1) as string[];
      const { id = '', stat = 'Average' } = row.at(-1) as RowSettings;
      return { id, namespace: `${namespace}`, metric: `${metric}`, statistic: stat, dimensions: dimensions.join(' ') };
    });
}

/**
 * Works the expressions of a widget out as CloudWatch would, each metric at one value.
 *
 * @returns what is visible, by label
 */
export function evaluate(widget: Widget, valueAt: (metric: ShownMetric) => number): Record<string, number> {
  const values = Object.fromEntries(metricsOf(widget).map((metric) => [metric.id, valueAt(metric)]));
  const rows = (widget.properties.metrics ?? []).map((row) => row.at(-1) as RowSettings);
  let left = rows.filter(({ expression }) => expression !== undefined);
  const byLabel: Record<string, number> = {};
  while (left.length > 0) {
    const ready = left.filter(({ expression = '' }) => idsIn(expression).every((id) => id in values));
    if (ready.length === 0) throw new Error(`cannot be worked out: ${left[0]?.expression}`);
    for (const { id, label = '', expression = '', visible } of ready) {
      const value = compute(expression, values);
      if (id !== undefined) values[id] = value;
      if (visible !== false) byLabel[label] = value;
    }
    left = left.filter((each) => !ready.includes(each));
  }
  return byLabel;
}

/** Ids are in lower case, functions in upper case. */
function idsIn(expression: string): string[] {
  return expression.match(/\b[a-z]\w*\b/g) ?? [];
}

function compute(expression: string, values: Readonly<Record<string, number>>): number {
  const script = expression
    .replace(/FILL\((\w+), 0\)/g, '$1')
    .replace(/PERIOD\(\w+\)/g, String(PERIOD))
    .replace(/^TIME_SERIES\(AVG\((\w+)\)(.*)\)$/, '$1$2')
    .replace(/\b[a-z]\w*\b/g, (id) => String(values[id]));
  if (!/^[\d.+*/() eE-]+$/.test(script)) throw new Error(`not arithmetic: ${script}`);
  return Function(`return ${script}`)() as number;
}
