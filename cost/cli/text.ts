import { figuresTable } from '../../shared/command/figuresTable.ts';
import { terminalWidth } from '../../shared/command/textTable.ts';
import { wrapCommand, wrapText } from '../../shared/command/wrapText.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { ARCHITECTURES, readiness } from '../model/report/compare.ts';
import { MIN_SAVED } from '../model/report/levers.ts';
import { type ArchitectureReport, type CostReport, notesOf } from '../model/report/report.ts';
import { count, money, range, share } from '../model/workload/figures.ts';
import { PURPOSE_NAMES, PURPOSES } from '../prices/bill.ts';

/** A report for a terminal: the recommended option, and a line for each option. */
export function renderSummary(report: CostReport, title: string): string {
  return [...summaryOf(report, title), '', '`--all` prints parts, savings and commands of each option.'].join('\n');
}

function summaryOf(report: CostReport, title: string): string[] {
  const { prices, verdict } = report;
  const choice = report.architectures.find(({ architecture }) => architecture === verdict.architecture);
  const usd = choice && money(choice.bill.total);
  const table = figuresTable(
    ['a month, US dollars', 'expected', 'between', 'idle', 'ready to deploy'],
    report.architectures.map((each) => [
      each.name,
      ...(each.isPossible ? [money(each.bill.total), range(each), money(each.idle)] : ['–', '–', '–']),
      readiness(each),
    ]),
    { minor: ['idle', 'ready to deploy'], styleOf: (cell) => (cell === usd ? 'green' : undefined) },
  );
  return [
    ...prose(`${title}: ${verdict.headline}${verdict.range && ` (${verdict.range})`}`),
    ...(verdict.command === undefined ? [] : toCopy(verdict.command, '  ')),
    ...(verdict.cheaper ? [...prose(verdict.cheaper.about), ...toCopy(verdict.cheaper.command, '  ')] : []),
    '',
    ...prose(`${verdict.about}, ${prices.name} (${prices.region}), list prices without tax.`),
    ...(choice?.lacks ?? []).flatMap((lack) => prose(`It lacks ${lack}.`)),
    '',
    table,
  ];
}

/** A text as lines that fit the terminal. In a pipe, it is one line. */
function prose(text: string, indent = ''): string[] {
  return wrapText(text, indent, terminalWidth() ?? Number.POSITIVE_INFINITY);
}

/** A command as lines for a shell that fit the terminal. In a pipe, it is one line. */
function toCopy(command: string, indent: string): string[] {
  return wrapCommand(command, indent, terminalWidth() ?? Number.POSITIVE_INFINITY);
}

/** The whole report for a terminal. */
export function renderText(report: CostReport, title: string): string {
  const { prices, architectures, crossings } = report;
  // Only a clone has the files that the command writes.
  const refresh = globalThis.IN_PACKAGE ? '' : ` (${ownCommand('cost', 'prices refresh')})`;
  const figures = (of: (each: ArchitectureReport) => string) =>
    architectures.map((each) => (each.isPossible ? of(each) : '–'));
  const totals = figuresTable(
    ['a month, US dollars', ...architectures.map(({ name }) => name)],
    [
      ['a year', ...figures(({ bill }) => money(12 * bill.total))],
      ...PURPOSES.map((purpose) => [PURPOSE_NAMES[purpose], ...figures(({ purposes }) => money(purposes[purpose]))]),
      ['pings’ share', ...figures(({ heartbeatShare }) => share(heartbeatShare))],
      ['machines', ...figures(({ machines }) => (machines > 0 ? count(machines) : '–'))],
    ],
  );
  const savings = (saved: CostReport['savedTogether']) =>
    figures(({ architecture }) => (saved[architecture] > MIN_SAVED ? money(saved[architecture]) : '–'));
  const levers = figuresTable(
    ['saved a month by', ...architectures.map(({ name }) => name)],
    [
      ...report.levers.map(({ option, saved }) => [option, ...savings(saved)]),
      ['all of these', ...savings(report.savedTogether)],
    ],
  );
  const dominant = architectures.flatMap(({ name, bill, isPossible }) => {
    if (!isPossible) return [];
    const [first, second] = bill.items.toSorted((a, b) => b.usd - a.usd);
    const parts = [first, second].flatMap((item) => (item ? [`${item.what} ${money(item.usd)}`] : []));
    return prose(`${name}: mostly ${parts.join(', ')}`, '  ');
  });
  const notes = architectures.flatMap((each) => notesOf(each).flatMap((note) => prose(note, '  ')));
  const commands = architectures
    .filter(({ isPossible }) => isPossible)
    .flatMap(({ name, command }) => [`  ${name}`, ...toCopy(command, '    ')]);
  const borders = crossings.flatMap(({ from, to, connections, usd, reason }) =>
    prose(
      `from ${count(connections)} connections: ${ARCHITECTURES[to]} (${money(usd)}), because ${ARCHITECTURES[from]} ${reason}`,
      '  ',
    ),
  );
  return [
    ...summaryOf(report, title),
    '',
    totals,
    ...dominant,
    levers,
    ...notes,
    '',
    'The command for each:',
    ...commands,
    '',
    borders.length > 0
      ? 'The option to choose, by the number of connections of this kind:'
      : 'The same option is the choice for any number of connections.',
    ...borders,
    '',
    ...prose(`Prices not confirmed by a second source: ${prices.unconfirmed.join(', ') || 'none'}${refresh}.`),
    ...prose(
      'Not included: S3, support plans, data between zones, staff. `--json` prints every item, `--html` writes a page with charts.',
    ),
  ].join('\n');
}
