import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figure, figureOfRuns, makeSection, type Table } from '../../report/document.ts';
import { sectionsAsMarkdown } from '../../report/write.ts';
import { FIGURE_NAMES, FIGURES, type Figure, findLead } from './figures.ts';
import type { Entry } from './peer.ts';
import { OURS, PEERS } from './peers.ts';

/** The generated part of a page. */
const MARKED = /(<!-- figures -->\n)[\s\S]*(<!-- end -->)/;

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

/** Writes the figures of a folder to the page next to it. The text outside the marks stays. */
export function writePage(folder: string): void {
  const path = `${folder}.md`;
  const page = existsSync(path) ? readFileSync(path, 'utf8') : '<!-- figures -->\n<!-- end -->\n';
  writeFileSync(path, withFigures(page, readEntries(folder)));
}

/** Replaces the generated part of a page. */
export function withFigures(page: string, entries: readonly Entry[]): string {
  return page.replace(MARKED, (_, begin, end) => `${begin}\n${describeEntries(entries)}\n\n${end}`);
}

/** The figures of all entries in Markdown. The first section lists the figures in which another server is better than our host on Bun. */
export function describeEntries(entries: readonly Entry[]): string {
  const here = entries.filter(({ role }) => role !== 'outside');
  const outside = entries.filter(({ role }) => role === 'outside');
  const runs = Map.groupBy(here, ({ measured }) => measured);
  const failed = entries.flatMap(({ name, failed }) => failed.map((why) => `${name}: ${why}`));
  const notes = (lines: readonly string[]) => ({ notes: lines.length > 0 ? lines : ['None.'] });
  const sections = [
    makeSection(
      'Figures in which another server is better than our host on Bun',
      notes(entries.flatMap((entry) => listLeads(entry, entries))),
    ),
    makeSection('Figures measured on our machine', {
      tables: [
        {
          head: ['figure', ...here.map(({ name }) => name)],
          rows: FIGURE_NAMES.map((name) => [
            FIGURES[name].label,
            ...here.map((entry) => formatFigure(entry.figures[name])),
          ]),
        },
      ],
      notes: [...runs].map(([run, same]) => `${same.map(({ name }) => name).join(', ')}: ${run}`),
    }),
    makeSection('Figures that are not measured', notes(here.flatMap(listBlanks))),
    makeSection('Failed runs', notes(failed)),
    makeSection('Figures from other sources', {
      tables: outside.map(outsideTable),
      notes: outside.map(describeServer),
    }),
    makeSection('Versions and settings of the servers', { notes: here.map(describeServer) }),
  ];
  return sectionsAsMarkdown(sections).join('\n\n');
}

/** A figure in a table. A dash if there is none. */
export function formatFigure(found: Figure | undefined): string {
  if (!found) return '–';
  const toBare = found.toBareBun === undefined ? '' : ` (${figure(found.toBareBun)}×)`;
  const perCpu = found.perProcessorSecond === undefined ? '' : ` / ${figure(found.perProcessorSecond)}`;
  return `${found.isAtLeast ? 'at least ' : ''}${figure(found.median)}${perCpu}${toBare}`;
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
    return [`${FIGURES[figureName].label}: ${their} compared with ${our}${note}`];
  });
  return [...leads, ...alsoAhead].map((text) => `**${name}**${where}: ${text}`);
}

/** The figures that an entry cannot measure, grouped by reason. */
function listBlanks({ name, blank }: Entry): string[] {
  const reasons = [...new Set(Object.values(blank))];
  return reasons.map((reason) => {
    const labels = FIGURE_NAMES.filter((figureName) => blank[figureName] === reason).map((each) => FIGURES[each].label);
    return `**${name}**, ${labels.join('; ')}: ${reason}`;
  });
}

function outsideTable({ name, figures }: Entry): Table {
  const rows = FIGURE_NAMES.flatMap((figureName) => {
    const { runs, ours, note = '' } = figures[figureName] ?? {};
    return runs ? [[FIGURES[figureName].label, figureOfRuns(runs), ours ? figureOfRuns(ours) : '–', note]] : [];
  });
  return { caption: `${name}:`, head: ['figure', name, 'our host on Bun', 'note'], rows };
}

function describeServer({ name, role, version, build, settings, measured }: Entry): string {
  const origin = role === 'outside' ? [`Measured: ${measured}.`] : [];
  return [`**${name}**: version ${version}. Build: ${build}.`, ...settings, ...origin].join(' ');
}
