import { markdownTable } from '../../shared/command/markdownTable.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import type { Result } from '../bench/benchmark.ts';
import { formatSeconds } from '../report/document.ts';
import { readResults, threeDigits } from './results.ts';

/** A part of `npm run torture` against a target. */
interface TorturePart {
  readonly part: string;
  readonly target: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: number;
}

/** A row: its label, and the counts that it adds up. */
type Row = readonly [label: string, ...counts: string[]];

const FUZZ: readonly Row[] = [
  ['inputs', 'inputs'],
  ['slowest reply to the probe, ms', 'probe: slowest answer, ms'],
  ['replies to the probe after more than a second', 'probe: answers after more than a second'],
  ['maximum resident memory, MiB', 'resident at most, MiB'],
];
const LINEARIZE: readonly Row[] = [
  ['kills and drains', 'kills', 'drains'],
  ['writes', 'writes'],
  ['writes that failed', 'writes that failed'],
  ['data-syncs', 'syncs'],
  ['pushes', 'pushes'],
  ['lost, duplicate, stale or reordered', 'lost', 'duplicate', 'stale', 'out of order'],
  ['slowest push, ms', 'slowest push, ms'],
];

/** The columns: a title, and the target. A cell has both seeds if they differ. */
const ONE = [
  ['host', 'host'],
  ['`npm start`', 'gateway'],
] as const;
const BALANCED = ['three hosts behind HAProxy', 'balanced'] as const;

export const RELIABILITY_TABLES = {
  fuzz: () => tortureTable('fuzz', FUZZ, ONE),
  linearize: () => tortureTable('linearize', LINEARIZE, [...ONE, BALANCED]),
  'front door': doorTable,
};

/** The run of `npm run bench -- front-door`. */
function doorTable(): string {
  const [table] = readResults<{ readonly results: readonly Result[] }>('front-door').results;
  const shown = ['case', 'P50 s', 'P99 s', 'last s', 'refused handshakes'];
  const columns = shown.map((name) => table?.head.indexOf(name) ?? -1);
  const rows = (table?.rows ?? []).map((row) =>
    columns.map((column, n) => (shown[n]?.endsWith(' s') ? formatSeconds(Number(row[column])) : (row[column] ?? '–'))),
  );
  return markdownTable(
    shown.map((name) => name.replace(/ s$/, '')),
    rows,
  );
}

function tortureTable(
  part: string,
  rows: readonly Row[],
  columns: readonly (readonly [title: string, target: string])[],
): string {
  const seeds = columns.map(([, target]) =>
    ['torture', 'torture-6502'].map((name) => {
      const { results } = readResults<{ readonly results: readonly TorturePart[] }>(name);
      const found = results.find((each) => each.part === part && each.target === target);
      if (!found) throw new Error(`${name}.json has no ${part} of ${target}`);
      return found;
    }),
  );
  const show = (found: readonly number[]) => [...new Set(found.map(threeDigits))].join(' / ');
  return markdownTable(
    ['figure', ...columns.map(([title]) => title)],
    [
      ...rows.map(([label, ...names]) => [
        label,
        ...seeds.map((of) => show(of.map(({ counts }) => sumOf(names, (name) => counts[name] ?? 0)))),
      ]),
      ['**problems**', ...seeds.map((of) => `**${show(of.map(({ problems }) => problems))}**`)],
    ],
  );
}
