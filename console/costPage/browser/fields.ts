import { CURVES } from '../../../cost/model/curve.ts';
import { REGIONS } from '../../../cost/prices/sheets.ts';
import { FREE_TIERS } from '../../../cost/prices/tiers.ts';
import type { Controls } from '../controls.ts';

/** A control: what it is called, what it says of itself, and what can be set. */
export interface ControlField {
  readonly name: keyof Controls;
  readonly label: string;
  readonly hint?: string;
  readonly unit?: string;
  /** For numbers: the slider's ends, on a logarithmic scale; without, a number field alone. */
  readonly slider?: readonly [least: number, most: number];
  /** For choices: value and what it is called. */
  readonly choices?: readonly (readonly [value: string, label: string])[];
}

/** What matters most, always to be seen. */
export const MAIN_FIELDS: readonly ControlField[] = [
  { name: 'connections', label: 'Connections held at the busiest time', slider: [1, 10_000_000] },
  {
    name: 'clientPing',
    label: 'Browsers and apps ping every',
    unit: 's',
    hint: 'FeatBit’s SDKs: 18; it can be set in JavaScript, Node and .NET; 60 to 300 are advised',
    slider: [1, 600],
  },
  { name: 'newPerHour', label: 'New connections an hour', slider: [1, 10_000_000] },
  {
    name: 'curve',
    label: 'Over the day',
    choices: Object.keys(CURVES).map((name) => [name, curveLabel(name)] as const),
  },
  {
    name: 'period',
    label: 'Costs are shown',
    choices: [
      ['month', 'by month'],
      ['year', 'by year'],
    ],
  },
];

/** The rest. */
export const MORE_FIELDS: readonly ControlField[] = [
  { name: 'serverShare', label: 'Connections of servers', unit: '%' },
  {
    name: 'serverPing',
    label: 'Servers ping every',
    unit: 's',
    hint: 'Go, Java, Python, Ruby: 10; .NET: 15; Node: 18',
  },
  { name: 'flags', label: 'Flags' },
  { name: 'flagBytes', label: 'A flag’s size as servers get it', unit: 'bytes' },
  { name: 'changesPerDay', label: 'Changes a day' },
  { name: 'eventsPerHour', label: 'Insight events an hour, of each connection' },
  { name: 'messagesPerHour', label: 'Other messages an hour, of each connection', hint: 'each answered by a function' },
  { name: 'environments', label: 'Environments in use' },
  { name: 'days', label: 'Days of the month that are like this' },
  { name: 'pollIntervalMs', label: 'Hosts poll for changes every', unit: 'ms' },
  {
    name: 'requestQuota',
    label: 'Requests a second that the account allows',
    hint: 'of API Gateway; AWS raises it on request',
  },
  { name: 'connectQuota', label: 'New connections a second that the account allows' },
  { name: 'region', label: 'Region', choices: REGIONS.map((region) => [region, region] as const) },
  {
    name: 'servers',
    label: 'Two hosts or more are deployed',
    choices: [
      ['always', 'all month'],
      ['hourly', 'only for hours with connections'],
    ],
  },
  {
    name: 'credits',
    label: 't2.micro without credits',
    choices: [
      ['standard', 'slows down'],
      ['unlimited', 'goes on at a price'],
    ],
  },
  {
    name: 'freeTier',
    label: 'Free allowances',
    choices: FREE_TIERS.map(
      (tier) =>
        [
          tier,
          { none: 'none', always: 'every account’s', 'first-year': 'an older account’s first year' }[tier],
        ] as const,
    ),
  },
  { name: 'accessLogs', label: 'API Gateway logs every message' },
  { name: 'tls', label: 'Hosts have TLS', hint: 'pages on https need it' },
];

function curveLabel(name: string): string {
  const names: Readonly<Record<string, string>> = {
    flat: 'as many at night',
    office: 'office hours of one continent',
    evening: 'most in the evening',
    'one-hour': 'one hour a day',
  };
  return names[name] ?? name;
}

/** What a control is called, with its unit. */
export function fieldLabel(name: keyof Controls): string {
  const { label = name, unit } = [...MAIN_FIELDS, ...MORE_FIELDS].find((field) => field.name === name) ?? {};
  return unit === undefined ? label : `${label} (${unit})`;
}
