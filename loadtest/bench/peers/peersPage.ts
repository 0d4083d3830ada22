import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figure, makeSection } from '../../report/document.ts';
import { sectionsAsMarkdown, withFigures } from '../../report/write.ts';
import { FIGURE_NAMES, FIGURES, type Figure, findLead } from './figures.ts';
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

/** Writes the figures of a folder to the page next to it. The text outside the marks stays. */
export function writePage(folder: string): void {
  const path = `${folder}.md`;
  const page = existsSync(path) ? readFileSync(path, 'utf8') : '<!-- figures -->\n<!-- end -->\n';
  writeFileSync(path, withFigures(page, describeEntries(readEntries(folder))));
}

/** The figures of all entries in Markdown. The first section lists the figures in which another server is better than our host on Bun. */
export function describeEntries(entries: readonly Entry[]): string {
  const runs = Map.groupBy(entries, ({ measured }) => measured);
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
          head: ['figure', ...entries.map(({ name }) => name)],
          rows: FIGURE_NAMES.map((name) => [
            FIGURES[name].label,
            ...entries.map((entry) => formatFigure(entry.figures[name])),
          ]),
        },
      ],
      notes: [...runs].map(([run, same]) => `${same.map(({ name }) => name).join(', ')}: ${run}`),
    }),
    makeSection('Figures that are not measured', notes(entries.flatMap(listBlanks))),
    makeSection('Failed runs', notes(failed)),
    makeSection('Versions and settings of the servers', { notes: entries.map(describeServer) }),
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

function listLeads({ name, role, figures }: Entry, entries: readonly Entry[]): string[] {
  if (role !== 'peer') return [];
  const ours = entries.find((each) => each.entry === OURS.entry)?.figures ?? {};
  return FIGURE_NAMES.flatMap((figureName) => {
    const theirs = figures[figureName];
    if (!theirs || findLead(figureName, theirs, ours[figureName]) === undefined) return [];
    const [their, our] = [theirs, ours[figureName]].map(formatFigure);
    return [`**${name}**: ${FIGURES[figureName].label}: ${their} compared with ${our}`];
  });
}

/** The figures that an entry cannot measure, grouped by reason. */
function listBlanks({ name, blank }: Entry): string[] {
  const reasons = [...new Set(Object.values(blank))];
  return reasons.map((reason) => {
    const labels = FIGURE_NAMES.filter((figureName) => blank[figureName] === reason).map((each) => FIGURES[each].label);
    return `**${name}**, ${labels.join('; ')}: ${reason}`;
  });
}

function describeServer({ name, version, build, settings }: Entry): string {
  return [`**${name}**: version ${version}. Build: ${build}.`, ...settings].join(' ');
}
