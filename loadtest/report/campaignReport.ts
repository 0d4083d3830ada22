import { join } from 'node:path';
import { type Campaign, countReasons, isLimited, LIMITED, listRates, shownRuns, usable } from '../results/campaign.ts';
import { makeCharts } from './charts.ts';
import { type Document, figure, makeSection, type Section, type Verdict } from './document.ts';
import { generatorTable, referenceTables, spreadTable, timesTable } from './runTables.ts';
import { listVerdicts } from './verdict.ts';
import { writeJson, writeReport } from './write.ts';

/**
 * Writes a report of campaigns: `report.html`, `report.md`, and `results.json`, which omits the figures of single seconds and data-syncs.
 *
 * @returns the report, the path of its page, and the report for a terminal
 */
export function writeCampaigns(directory: string, campaigns: readonly Campaign[]) {
  const report = makeReport(campaigns);
  const path = join(directory, 'report');
  const text = writeReport(path, report);
  writeJson(
    join(directory, 'results.json'),
    campaigns.map(({ runs, ...campaign }) => ({
      ...campaign,
      runs: runs.map(({ seconds: _, syncs: __, ...run }) => run),
    })),
  );
  return { report, page: `${path}.html`, text };
}

/** A report of campaigns, grouped by scenario. @throws Error if there are none */
export function makeReport(campaigns: readonly Campaign[]): Document {
  if (campaigns.length === 0) throw new Error('there is no campaign to report.');
  const scenarios = Map.groupBy(campaigns, ({ facts }) => facts.scenario);
  const targets = [...new Set(campaigns.map(({ facts }) => facts.target))];
  return {
    title: `Flagwire under load: ${[...scenarios.keys()].join(', ')} against ${targets.join(', ')}`,
    facts: campaigns.flatMap((campaign) => listFacts(campaign, campaigns.length > 1)),
    sections: [
      makeSection('Verdict', { verdicts: campaigns.flatMap(listVerdicts) }),
      ...[...scenarios].flatMap(([name, same]) => makeSections(name, same)),
    ],
  };
}

function makeSections(scenario: string, campaigns: readonly Campaign[]): Section[] {
  const charts = makeCharts(campaigns);
  return [
    ...campaigns.map(summarySection),
    ...(charts.length > 0 ? [makeSection(`${scenario}: charts`, { charts })] : []),
    makeSection(`${scenario}: the generator`, {
      tables: campaigns.map(generatorTable),
      verdicts: campaigns.map(healthVerdict),
      notes: [
        'In an INVALID run, the load generator or other programs on its machine limited the load. Averages exclude it. Its figures are in parentheses.',
      ],
    }),
  ];
}

/** How published figures differ from ours. */
const PUBLISHED =
  'Published figures are of FeatBit’s server on a t2.micro, with k6 on another machine of its network; CPU and memory by top. ' +
  'They are not directly comparable. Both measure from the data-sync to its reply, without the handshake.';

function summarySection(campaign: Campaign): Section {
  const { facts, runs } = campaign;
  // `npm start` cannot be compared: it emulates AWS in one process, at lower rates.
  const isCompared = facts.scenario === 'reference' && facts.target !== 'local';
  const isWatched = runs.some(({ server }) => server);
  const used = usable(runs);
  const reasons = countReasons(used).slice(0, 10);
  const hasLimited = listRates(runs).some((rate) => shownRuns(runs, rate).some(isLimited));
  // The generator's table contains the discarded runs.
  const tables = [
    ...(isCompared && used.length > 0 ? referenceTables(campaign) : []),
    timesTable(campaign),
    ...(used.length > 0 ? [spreadTable(campaign)] : []),
  ];
  return makeSection(`${facts.scenario}: ${facts.target}`, {
    tables: tables.filter(({ rows }) => rows.length > 0),
    notes: [
      ...(hasLimited
        ? [`${LIMITED}: the load generator limited each run at this rate. The charts show one in gray`]
        : []),
      ...(isCompared ? [PUBLISHED] : []),
      ...countNotes(campaign),
      ...reasons.map(([why, count]) => `${count.toLocaleString('en')} times: ${why}.`),
      ...facts.notes,
      isWatched
        ? 'The server’s CPU and memory are those of its processes, second by second.'
        : 'NOT measured: CPU and memory of the server.',
    ],
  });
}

function healthVerdict({ facts, runs }: Campaign): Verdict {
  const bad = runs.length - usable(runs).length;
  const text = bad === 0 ? `all ${runs.length} runs are good` : `${bad} of ${runs.length} runs are not used`;
  return { isGood: bad === 0, text: `${facts.target}: ${text}` };
}

/** Open connections, and changes. */
function countNotes({ runs }: Campaign): string[] {
  const used = usable(runs);
  const open = used.flatMap(({ seconds }) => seconds.map((second) => second.open));
  const most = open.length > 0 ? [`Most connections open at a time: ${Math.max(...open).toLocaleString('en')}.`] : [];
  const notes = used.flatMap(({ facts: { number, rate }, changes }) => {
    if (!changes) return [];
    const { flips, clients, missing } = changes;
    return `Run ${number} at ${rate}/s: ${flips} changes to ${clients} clients, ${missing} arrivals missing.`;
  });
  return [...most, ...notes];
}

function listFacts({ facts }: Campaign, isOneOfMany: boolean): [string, string][] {
  const { machine, versions, parameters } = facts;
  const name = (what: string) => (isOneOfMany ? `${facts.scenario} against ${facts.target}: ${what}` : what);
  return [
    [name('machine'), formatMachine(machine)],
    [name('versions'), formatVersions(versions)],
    [name('start'), facts.startedAt],
    [name('parameters'), JSON.stringify(parameters)],
  ];
}

/** The machine of the load generator in words. */
export function formatMachine({ cpu, cores, memoryBytes }: Campaign['facts']['machine']): string {
  return `${cpu}, ${cores} cores, ${figure(memoryBytes / 1024 ** 3)} GiB`;
}

/** The versions of a measurement in words. */
export function formatVersions({ node, artillery, commit }: Campaign['facts']['versions']): string {
  return `Node ${node}, artillery ${artillery}, commit ${commit}`;
}
