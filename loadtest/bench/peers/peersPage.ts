import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from '../../../shared/command/markdownTable.ts';
import { figure, figureOfRuns } from '../../report/document.ts';
import { type Entry, FIGURE_NAMES, FIGURES, type Figure, findLead } from './figures.ts';
import { OURS, PEERS } from './peers.ts';

const MEASURED = `Each figure is the median of the rounds. Brackets show the figure as a multiple of bare Bun's figure in the same run. For rates, the
multiple compares rates for each CPU second. "At least" means that the load generator used its whole core, or that the server did not.

- Only the multiples, the numbers of bytes, and the memory of a client apply to other machines.
- Bare servers send constant responses and evaluate no flags. Their figures show the limits of the machine.
- The server runs on one core. The load generator and our host's table run on another core. All connections use loopback.
- Evaluations use 32 connections and one user. Bytes are uncompressed TCP payload.`;

const REPEAT = `Use an idle machine. The command takes about 12 minutes. It writes a file for each server, and this page.

\`\`\`sh
cargo install --locked unleash-edge --version 20.1.0    # optional: 20 minutes
UNLEASH_EDGE=~/.cargo/bin/unleash-edge npm run bench -- peers
\`\`\`

\`npm run bench -- peers --quick\` only tests the adapters. \`npm run bench -- peers --page\` writes this page from the files.`;

const ADD = `Send a pull request with an adapter and the file that it measured:

1. Write \`loadtest/bench/peers/entries/<server>.ts\`, at most 100 lines, which exports a \`Peer\`
   ([peer.ts](../../loadtest/bench/peers/peer.ts)). [unleashEdge.ts](../../loadtest/bench/peers/entries/unleashEdge.ts) is an example
   that starts a program. For a server that already runs, return its address, its process id, and a \`stop\` that does nothing.
2. Give a reason for each figure that you cannot measure (\`blank\`). Do not estimate figures.
3. Add the adapter to \`PEERS\` in \`peers.ts\`, and test it: \`npm run bench -- peers <entry> --quick\`.
4. Measure the server on an idle machine: \`npm run bench -- peers <entry>\`. The benchmark measures bare Bun in the same run.
5. Commit \`docs/results/peers/<entry>.json\` and this page, with failed runs.

For figures from other sources, add a file with the role \`outside\`. Its field \`ours\` contains our host's figures under the same conditions.`;

/** Reads the entries of a folder, in the page's order. */
export function readEntries(folder: string): Entry[] {
  const order = PEERS.map(({ entry }) => entry);
  const place = ({ entry }: Entry) => (order.includes(entry) ? order.indexOf(entry) : order.length);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file): Entry => JSON.parse(readFileSync(join(folder, file), 'utf8')))
    .toSorted((a, b) => place(a) - place(b));
}

/** The page of all entries. The first part says where others are ahead of our host on Bun. */
export function makePage(entries: readonly Entry[]): string {
  const here = entries.filter(({ role }) => role !== 'outside');
  const outside = entries.filter(({ role }) => role === 'outside');
  return [
    '# Comparison with other flag servers',
    '`npm run bench -- peers` writes this page from the files in [peers](peers). Do not edit it.',
    '## Figures in which another server is better than our host on Bun',
    list(
      entries.flatMap((entry) => listLeads(entry, entries)),
      'None.',
    ),
    '## Figures measured on our machine',
    here.length === 0
      ? 'No server has been measured yet.'
      : markdownTable(
          ['figure', ...here.map(({ name }) => name)],
          FIGURE_NAMES.map((name) => [FIGURES[name].label, ...here.map((entry) => formatFigure(entry.figures[name]))]),
        ),
    MEASURED,
    list(listRuns(here)),
    '## Figures that are not measured',
    list(here.flatMap(listBlanks), 'None.'),
    '### Failed runs',
    list(
      entries.flatMap(({ name, failed }) => failed.map((why) => `${name}: ${why}`)),
      'None.',
    ),
    ...(outside.length > 0
      ? [
          '## Figures from other sources',
          'These figures were measured at other times, on other machines, or by other people. Compare only figures of the same table.',
        ]
      : []),
    ...outside.flatMap(formatOutside),
    '## Versions and settings of the servers',
    ...here.flatMap(({ name, version, build, settings }) => [
      `### ${name}`,
      list([`Version: ${version}`, `Build: ${build}`, ...settings]),
    ]),
    '## Repeat the measurements',
    REPEAT,
    '## Add a server',
    `${ADD}\n`,
  ].join('\n\n');
}

/** A figure in a cell of a table; a dash where there is none. */
export function formatFigure(found: Figure | undefined): string {
  if (!found) return '–';
  const toBare = found.toBareBun === undefined ? '' : ` (${figure(found.toBareBun)}×)`;
  return `${found.isAtLeast ? 'at least ' : ''}${figure(found.median)}${toBare}`;
}

function listLeads(entry: Entry, entries: readonly Entry[]): string[] {
  const { name, role, figures, alsoAhead = [] } = entry;
  if (role === 'ours' || role === 'reference') return [];
  const ours = entries.find((each) => each.entry === OURS.entry)?.figures ?? {};
  const where = role === 'outside' ? ' (figures from other sources)' : '';
  const leads = FIGURE_NAMES.flatMap((figureName) => {
    const theirs = figures[figureName];
    if (!theirs || findLead(figureName, theirs, ours[figureName]) === undefined) return [];
    const our = theirs.ours ? figureOfRuns(theirs.ours) : formatFigure(ours[figureName]);
    const their = theirs.ours ? figureOfRuns(theirs.runs) : formatFigure(theirs);
    const note = theirs.note === undefined ? '' : ` (${theirs.note})`;
    return [`**${name}**${where}: ${FIGURES[figureName].label}: ${their} compared with ${our}${note}`];
  });
  return [...leads, ...alsoAhead.map((text) => `**${name}**${where}: ${text}`)];
}

/** The runs that figures come from, each with its servers. */
function listRuns(here: readonly Entry[]): string[] {
  const runs = Map.groupBy(here, ({ measured }) => measured);
  return [...runs].map(([run, entries]) => `${entries.map(({ name }) => name).join(', ')}: ${run}`);
}

/** Groups the figures that are blank for the same reason. */
function listBlanks({ name, blank }: Entry): string[] {
  const reasons = [...new Set(Object.values(blank))];
  return reasons.map((reason) => {
    const labels = FIGURE_NAMES.filter((figureName) => blank[figureName] === reason).map((each) => FIGURES[each].label);
    return `**${name}**, ${labels.join('; ')}: ${reason}`;
  });
}

function formatOutside({ name, version, build, settings, measured, figures }: Entry): string[] {
  const rows = FIGURE_NAMES.flatMap((figureName) => {
    const { runs, ours, note = '' } = figures[figureName] ?? {};
    if (!runs) return [];
    return [[FIGURES[figureName].label, figureOfRuns(runs), ours ? figureOfRuns(ours) : '–', note]];
  });
  return [
    `### ${name}`,
    markdownTable(['figure', name, 'our host on Bun', 'note'], rows),
    list([`Version: ${version}`, `Build: ${build}`, ...settings, `Measured: ${measured}`]),
  ];
}

function list(items: readonly string[], otherwise = ''): string {
  return items.length === 0 ? otherwise : items.map((item) => `- ${item}`).join('\n');
}
