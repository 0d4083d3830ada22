import { type Bill, priceLines, standing } from '../prices/bill.ts';
import { HOST_METERS, linesFrom, type Meter, type MeteredLine, SERVERLESS_METERS } from '../prices/meters.ts';
import type { PriceKey, PriceSheet } from '../prices/priceSheet.ts';
import { DASHBOARDS, OWN_METRICS } from '../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../prices/tiers.ts';

/** What a stack used and cost. */
export interface StackActual {
  readonly stack: 'serverless' | 't2.micro';
  readonly bill: Bill<MeteredLine>;
  /** US dollars by service. */
  readonly services: Readonly<Record<string, number>>;
  /** US dollars of a month at the same rate. */
  readonly month: number;
}

/** Fixed parts of a deployment. */
interface ResourceCounts {
  readonly alarms: number;
  /** Whether the stack with the host is deployed. */
  readonly hasHost: boolean;
}

/**
 * What was used over some hours, priced as the model prices it. Tiers count from zero, as if the month had begun with it.
 */
export function actualsOf(
  usedOf: (meter: Meter) => number,
  sheet: PriceSheet,
  hours: number,
  { alarms, hasHost }: ResourceCounts,
): StackActual[] {
  const months = hours / MONTH_HOURS;
  const fixed = (price: PriceKey, what: string, quantity: number): MeteredLine => ({
    service: 'alarms, dashboard, metrics',
    ...standing(price, what, quantity * months),
  });
  const dashboard = fixed('smallDashboard', 'dashboard', DASHBOARDS);
  const always = [
    fixed('alarm', 'alarms', alarms),
    fixed('customMetric', 'metrics of the functions', OWN_METRICS),
    dashboard,
    fixed('dashboard', 'cost dashboard', DASHBOARDS),
  ];
  const stacks = [
    { stack: 'serverless' as const, meters: SERVERLESS_METERS, others: always },
    ...(hasHost ? [{ stack: 't2.micro' as const, meters: HOST_METERS, others: [dashboard] }] : []),
  ];
  return stacks.map(({ stack, meters, others }) => {
    const bill = priceLines([...linesFrom(meters, usedOf), ...others], sheet);
    const services: Record<string, number> = {};
    for (const { service, usd } of bill.items) services[service] = (services[service] ?? 0) + usd;
    return { stack, bill, services, month: bill.total / months };
  });
}
