import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from '../../../shared/command/markdownTable.ts';
import { figure, figureOfRuns } from '../../report/document.ts';
import { type Entry, FIGURE_NAMES, FIGURES, type Figure, findLead } from './figures.ts';
import { OURS, PEERS } from './peers.ts';

const MEASURED = `A cell is the median of the rounds. In brackets is the multiple of bare Bun's in the same run. For rates, it compares what a server
does in each second of processor. "At least" means that the generator's core was full, or the server's was not.

- These figures transfer to other machines: the multiples, bytes, and memory of a client.
- Bare servers answer constants and evaluate no flags. They show what the machine can do.
- The server has one core. The generator and our host's table share another. All connections are loopback.
- Evaluations go over 32 connections, for one user. Bytes are those of TCP's payload, uncompressed.`;

const REPEAT = `Leave the machine idle. The command takes about 12 minutes, writes a file for each server, and this page.

\`\`\`sh
cargo install --locked unleash-edge --version 20.1.0    # optional: 20 minutes
UNLEASH_EDGE=~/.cargo/bin/unleash-edge npm run bench -- peers
\`\`\`

\`npm run bench -- peers --quick\` only tests the adapters. \`npm run bench -- peers --page\` writes this page from the files.`;

const ADD = `Send a pull request with an adapter and the file that it measured:

1. Write \`loadtest/bench/peers/entries/<server>.ts\`, at most 100 lines, which exports a \`Peer\`
   ([peer.ts](../../loadtest/bench/peers/peer.ts)). [unleashEdge.ts](../../loadtest/bench/peers/entries/unleashEdge.ts) starts a program.
   For a server that already runs, return its address, its process id, and a \`stop\` that does nothing.
2. Say why for each figure that the server cannot give (\`blank\`). Do not estimate.
3. Add it to \`PEERS\` in \`peers.ts\`, and test it: \`npm run bench -- peers <entry> --quick\`.
4. Measure it on an idle machine: \`npm run bench -- peers <entry>\`. The benchmark measures bare Bun in the same run.
5. Commit \`docs/results/peers/<entry>.json\` and this page, with failed runs.

For figures that somebody else measured, add a file with the role \`outside\`. Give our host's figures under the same conditions as \`ours\`.`;

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
    '# Other flag servers, measured',
    'Written by `npm run bench -- peers` from the files in [peers](peers). Do not edit this page.',
    '## Where another server is ahead of our host on Bun',
    list(
      entries.flatMap((entry) => listLeads(entry, entries)),
      'Nowhere in these figures.',
    ),
    '## Measured here',
    here.length === 0
      ? 'Nothing yet.'
      : markdownTable(
          ['', ...here.map(({ name }) => name)],
          FIGURE_NAMES.map((name) => [FIGURES[name].label, ...here.map((entry) => formatFigure(entry.figures[name]))]),
        ),
    MEASURED,
    list(listRuns(here)),
    '## What is not measured',
    list(here.flatMap(listBlanks), 'All figures are measured.'),
    '### Failed runs',
    list(
      entries.flatMap(({ name, failed }) => failed.map((why) => `${name}: ${why}`)),
      'None.',
    ),
    ...(outside.length > 0
      ? ['## Outside figures', 'Measured at other times, on other machines or by others. Compare only within a table.']
      : []),
    ...outside.flatMap(formatOutside),
    '## How each server was built',
    ...here.flatMap(({ name, version, build, settings }) => [
      `### ${name}`,
      list([`Version: ${version}`, `Build: ${build}`, ...settings]),
    ]),
    '## Repeat it',
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
  const where = role === 'outside' ? ' (outside figures)' : '';
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
    markdownTable(['', name, 'our host on Bun', ''], rows),
    list([`Version: ${version}`, `Build: ${build}`, ...settings, `Measured: ${measured}`]),
  ];
}

function list(items: readonly string[], otherwise = ''): string {
  return items.length === 0 ? otherwise : items.map((item) => `- ${item}`).join('\n');
}
