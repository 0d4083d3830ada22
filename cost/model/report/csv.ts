import type { CostReport } from './report.ts';

const COLUMNS = ['purpose', 'what', 'price', 'quantity', 'unit', 'usd'] as const;

/** Every item of every bill as comma-separated values; options that are ruled out have none. */
export function renderCsv({ architectures }: CostReport): string {
  const rows = architectures
    .filter(({ isPossible }) => isPossible)
    .flatMap(({ name, bill }) => bill.items.map((item) => [name, ...COLUMNS.map((each) => item[each]), 12 * item.usd]));
  const head = ['option', 'purpose', 'item', 'price', 'quantity', 'unit', 'US dollars a month', 'a year'];
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\n');
}

/** A value as RFC 4180 has it. */
function cell(value: string | number): string {
  return typeof value === 'string' && /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value);
}
