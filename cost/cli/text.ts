import { figuresTable } from '../../shared/command/figuresTable.ts';
import { appConfigTable } from '../model/appConfig.ts';
import { ARCHITECTURES } from '../model/compare.ts';
import { count, ENGLISH, money, range, share } from '../model/figures.ts';
import type { ArchitectureReport, CostReport } from '../model/report.ts';
import { PURPOSE_NAMES, PURPOSES } from '../prices/bill.ts';

/** A report for a terminal. */
export function renderText(report: CostReport, title: string): string {
  const { workload, prices, answers, architectures, crossings, appConfig } = report;
  const figures = (of: (each: ArchitectureReport) => string) =>
    architectures.map((each) => (each.isPossible ? of(each) : '–'));
  const totals = figuresTable(
    ['a month, US dollars', ...architectures.map(({ name }) => name)],
    [
      ['expected', ...architectures.map((each) => (each.isPossible ? money(each.bill.total) : 'not possible'))],
      ['a year', ...figures(({ bill }) => money(12 * bill.total))],
      ['between', ...figures(range)],
      ['idle', ...figures(({ idle }) => money(idle))],
      ...PURPOSES.map((purpose) => [PURPOSE_NAMES[purpose], ...figures(({ purposes }) => money(purposes[purpose]))]),
      ['pings’ share', ...figures(({ heartbeatShare }) => share(heartbeatShare))],
      ['a million data-syncs', ...figures(({ millionSyncs }) => money(millionSyncs))],
      ['a million pushes', ...figures(({ millionPushes }) => money(millionPushes))],
      ['machines', ...figures(({ machines }) => (machines > 0 ? count(machines) : '–'))],
    ],
  );
  const savings = (saved: CostReport['savedTogether']) =>
    figures(({ architecture }) => (saved[architecture] > LEAST_SAVED ? money(saved[architecture]) : '–'));
  const levers = figuresTable(
    ['less a month with', ...architectures.map(({ name }) => name)],
    [
      ...report.levers.map(({ lever, isOn, saved }) => [`--lever ${lever}${isOn ? ' (set)' : ''}`, ...savings(saved)]),
      ...(report.levers.some(({ isOn }) => isOn) ? [['all that are set', ...savings(report.savedTogether)]] : []),
    ],
  );
  const dominant = architectures.flatMap(({ name, bill, isPossible }) => {
    if (!isPossible) return [];
    const [first, second] = bill.items.toSorted((a, b) => b.usd - a.usd);
    const parts = [first, second].flatMap((item) => (item ? [`${item.what} ${money(item.usd)}`] : []));
    return `  ${name}: mostly ${parts.join(', ')}`;
  });
  const notes = architectures.flatMap(({ name, problems, notes, guesses = [] }) => [
    ...problems.map((problem) => `  ${name} is ruled out: ${problem}`),
    ...[...notes, ...guesses].map((note) => `  ${name}: ${note}`),
  ]);
  const commands = architectures
    .filter(({ isPossible }) => isPossible)
    .flatMap(({ name, command }) => [`  ${name}`, `    ${command}`]);
  const borders = crossings.map(
    ({ from, to, connections, usd }) =>
      `  from ${count(connections)} connections (${money(usd)}): ${ARCHITECTURES[to]} in place of ${ARCHITECTURES[from]}`,
  );
  const instead = appConfig && appConfigTable(appConfig, ENGLISH);
  return [
    `${title}: ${count(workload.connections)} connections at the busiest, ${prices.name} (${prices.region}), list prices without tax`,
    '',
    ...answers.flatMap(({ question, answer, command }) => [
      question,
      ...wrapped(answer),
      // On one line, to be copied.
      ...(command === undefined ? [] : [`  ${command}`]),
    ]),
    totals,
    ...dominant,
    levers,
    ...notes,
    '',
    'What deploys each:',
    ...commands,
    '',
    borders.length > 0
      ? 'Where the cheapest changes, with more or fewer connections of this kind:'
      : 'One way is the cheapest at any number of connections.',
    ...borders,
    '',
    ...(instead
      ? [
          'Alternative for servers alone: AWS AppConfig. docs/cost-others.md has it and Cloudflare Flagship.',
          figuresTable(instead.head, instead.rows),
        ]
      : ['AWS AppConfig is no alternative: this load has no servers. docs/cost-others.md has others.']),
    '',
    `Prices not confirmed by a second source: ${prices.unconfirmed.join(', ') || 'none'} (npm run cost -- prices refresh).`,
    'Left out: S3, support plans, data between zones, people. `--json` has every item, `--html` a page with charts.',
  ].join('\n');
}

/** Savings below this, in US dollars a month, are none. */
const LEAST_SAVED = 0.005;

/** Characters of a line of text. */
const WIDTH = 110;

/** A text as indented lines that fit a terminal. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + word.length + 1 > WIDTH) lines.push(`  ${word}`);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
