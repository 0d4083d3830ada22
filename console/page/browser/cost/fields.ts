import type { CurveName } from '../../../../cost/model/workload/curve.ts';
import { REGIONS } from '../../../../cost/prices/sheets.ts';
import type { FREE_TIERS } from '../../../../cost/prices/tiers.ts';
import type { Controls } from '../../logic/controls.ts';

/** The label, hint and values of a control. */
export interface ControlField {
  readonly name: keyof Controls;
  readonly label: string;
  readonly hint?: string;
  readonly unit?: string;
  /** For choices: each value with its label. */
  readonly choices?: Readonly<Record<string, string>>;
}

const CURVE_LABELS: Readonly<Record<CurveName, string>> = {
  flat: 'constant',
  office: 'office hours',
  evening: 'peak in the evening',
  'one-hour': 'one hour a day',
};

const FREE_TIER_LABELS: Readonly<Record<(typeof FREE_TIERS)[number], string>> = {
  none: 'none',
  always: 'of every account',
};

/** The controls that are always visible. */
export const MAIN_FIELDS: readonly ControlField[] = [
  { name: 'connections', label: 'Peak connections' },
  {
    name: 'clientPing',
    label: 'Client ping interval',
    unit: 's',
    hint: 'Default: 18. JavaScript, Node and .NET can set it; use 60 to 300.',
  },
  { name: 'newPerHour', label: 'New connections an hour' },
  { name: 'changesPerDay', label: 'Changes a day' },
  { name: 'curve', label: 'Over the day', choices: CURVE_LABELS },
];

/** The controls under “More settings”. */
export const MORE_FIELDS: readonly ControlField[] = [
  { name: 'serverShare', label: 'Share of servers', unit: '%' },
  {
    name: 'serverPing',
    label: 'Server ping interval',
    unit: 's',
    hint: 'Default: 10 (Go, Java, Python, Ruby), 15 (.NET), 18 (Node).',
  },
  { name: 'flags', label: 'Flags' },
  { name: 'flagBytes', label: 'Size of a flag as servers receive it', unit: 'bytes' },
  { name: 'eventsPerHour', label: 'Insight events of each connection, an hour' },
  { name: 'environments', label: 'Environments with connections' },
  { name: 'days', label: 'Days a month with this load' },
  { name: 'pollIntervalMs', label: 'Hosts poll for changes every', unit: 'ms' },
  {
    name: 'fastPollSeconds',
    label: 'After a change, hosts poll every 10 ms for',
    unit: 's',
    hint: 'Default: 60. 0 turns this off.',
  },
  { name: 'requestQuota', label: 'Quota of requests a second', hint: 'API Gateway’s. AWS raises it on request.' },
  { name: 'connectQuota', label: 'Quota of new connections a second' },
  { name: 'region', label: 'Region', choices: Object.fromEntries(REGIONS.map((region) => [region, region])) },
  {
    name: 'servers',
    label: 'Two or more hosts are deployed',
    choices: { always: 'all month', hourly: 'only for hours with connections' },
  },
  {
    name: 'credits',
    label: 'A t2.micro without CPU credits',
    choices: { standard: 'slows down', unlimited: 'continues for a charge' },
  },
  { name: 'freeTier', label: 'Free allowances', choices: FREE_TIER_LABELS },
  { name: 'accessLogs', label: 'API Gateway logs each message' },
  { name: 'pongs', label: 'API Gateway answers pings', hint: 'Browsers and apps need it.' },
  { name: 'lean', label: 'Only free alarms and dashboards' },
  { name: 'tls', label: 'Hosts have TLS', hint: 'Pages served over https need it.' },
];

/** The label of a control, with its unit. */
export function fieldLabel(name: keyof Controls): string {
  const { label = name, unit } = [...MAIN_FIELDS, ...MORE_FIELDS].find((field) => field.name === name) ?? {};
  return unit === undefined ? label : `${label} (${unit})`;
}
