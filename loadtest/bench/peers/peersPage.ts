import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../infra/repository.ts';
import { figure, makeSection } from '../../report/document.ts';
import { sectionsAsMarkdown, withFigures } from '../../report/write.ts';
import { withFeatbitTables } from './featbitTables.ts';
import { FIGURE_NAMES, FIGURES, type Figure, findLead, type Sizes } from './figures.ts';
import type { Entry } from './peer.ts';
import { OURS, PEERS } from './peers.ts';

/** Reads the entries of a folder, in the order of the page. */
export function readEntries(folder: string): Entry[] {
  const order = PEERS.map(({ entry }) => entry);
  const place = ({ entry }: Entry) => (order.includes(entry) ? order.indexOf(entry) : order.length);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file): Entry => JSON.parse(readFileSync(join(folder, file), 'utf8')))
    .toSorted((a, b) => place(a) - place(b));
}

/** FeatBit's results, which no command measures. */
const FEATBIT = join(repositoryRoot, 'docs/results/featbit/servers.json');

/** Writes the figures of a folder to the page next to it. The text outside the marks stays. */
export function writePage(folder: string): void {
  const path = `${folder}.md`;
  const page = existsSync(path) ? readFileSync(path, 'utf8') : '<!-- figures -->\n<!-- end -->\n';
  writeFileSync(path, renderPage(page, folder));
}

/** A page with the figures of a folder and of FeatBit's server between its marks. */
export function renderPage(page: string, folder: string): string {
  return withFeatbitTables(withFigures(page, describeEntries(readEntries(folder))), FEATBIT);
}

/** The figures of all entries in Markdown. The first table lists the figures in which another server is better than our host. */
export function describeEntries(entries: readonly Entry[]): string {
  const runs = Map.groupBy(entries, ({ measured }) => measured);
  const versions = entries.map(({ name, version }) => `${name}: ${version}`);
  const measured = [...runs].map(([run, same]) => `${same.map(({ name }) => name).join(', ')}: ${run}`);
  const failed = entries.flatMap(({ name, failed }) => failed.map((why) => `Failed: ${name}: ${why}`));
  const leads = entries.flatMap((entry) => listLeads(entry, entries));
  const sections = [
    makeSection('Figures in which another server is better', {
      tables: [{ head: ['figure', 'server', 'its figure', 'ours'], rows: leads }],
    }),
    makeSection('All figures', {
      tables: [
        {
          head: ['figure', ...entries.map(({ name }) => name)],
          rows: FIGURE_NAMES.map((name) => [
            FIGURES[name].label,
            ...entries.map((entry) => formatFigure(entry.figures[name])),
          ]),
        },
      ],
      notes: [...measured, `Versions: ${versions.join('; ')}`, ...failed],
    }),
    ...entries.flatMap(({ name, sizes }) => (sizes ? [describeSizes(name, sizes)] : [])),
  ];
  return sectionsAsMarkdown(sections).join('\n\n');
}

function describeSizes(name: string, { storms, held, changes, measured }: Sizes) {
  const percent = (cores: number) => `${figure(100 * cores)} %`;
  return makeSection(`${name} at several sizes`, {
    tables: [
      {
        head: ['load', 'P50, ms', 'P99, ms', 'bytes of a connection', 'CPU, % of a core'],
        rows: [
          ...storms.map(({ rate, p50Ms, p99Ms, cpu }) => [
            `${figure(rate)} new connections a second, data-sync`,
            ...[figure(p50Ms), figure(p99Ms), '–', percent(cpu)],
          ]),
          ...held.map(({ connections, bytes, cpu }) => [
            `${figure(connections)} connections held`,
            ...['–', '–', figure(bytes), percent(cpu)],
          ]),
          ...changes.map(({ connections, p50Ms, p99Ms }) => [
            `a change to ${figure(connections)} connections`,
            ...[figure(p50Ms), figure(p99Ms), '–', '–'],
          ]),
        ],
      },
    ],
    notes: [measured],
  });
}

/** A figure in a table. A dash if there is none. */
export function formatFigure(found: Figure | undefined): string {
  if (!found) return '–';
  const toBare = found.toBareBun === undefined ? '' : ` (${figure(found.toBareBun)}×)`;
  const perCpu = found.perProcessorSecond === undefined ? '' : ` / ${figure(found.perProcessorSecond)}`;
  return `${found.isAtLeast ? 'at least ' : ''}${figure(found.median)}${perCpu}${toBare}`;
}

function listLeads({ name, role, figures }: Entry, entries: readonly Entry[]): string[][] {
  if (role !== 'peer') return [];
  const ours = entries.find((each) => each.entry === OURS.entry)?.figures ?? {};
  return FIGURE_NAMES.flatMap((figureName) => {
    const theirs = figures[figureName];
    if (!theirs || findLead(figureName, theirs, ours[figureName]) === undefined) return [];
    return [[FIGURES[figureName].label, name, formatFigure(theirs), formatFigure(ours[figureName])]];
  });
}
