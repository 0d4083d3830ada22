import { type Campaign, usable } from '../results/campaign.ts';
import { makeCharts } from './charts.ts';
import { comparisonNote, comparisonTable } from './comparisonTable.ts';
import type { Document, Section, Verdict } from './document.ts';
import { figure } from './document.ts';
import { referenceTables } from './referenceTables.ts';
import { generatorTable, spreadTable, timesTable } from './runTables.ts';
import { isComparableToPublished, verdictSection } from './verdict.ts';

/** A report of campaigns, those of one scenario together. @throws Error when there is none */
export function makeReport(campaigns: readonly Campaign[]): Document {
  const [first] = campaigns;
  if (!first) throw new Error('there is no campaign to report.');
  const scenarios = Map.groupBy(campaigns, ({ facts }) => facts.scenario);
  const targets = [...new Set(campaigns.map(({ facts }) => facts.target))];
  return {
    title: `Flagwire under load: ${[...scenarios.keys()].join(', ')} against ${targets.join(', ')}`,
    facts: campaigns.flatMap((campaign) => listFacts(campaign, campaigns.length > 1)),
    sections: [verdictSection(campaigns), ...[...scenarios.values()].flatMap((same) => makeSections(same))],
  };
}

function makeSections(campaigns: readonly Campaign[]): Section[] {
  const [first] = campaigns;
  const summaries = campaigns.map((campaign): Section => {
    const { facts, runs, comparison } = campaign;
    const isCompared = isComparableToPublished(campaign);
    return {
      title: `${facts.scenario}: ${facts.target}`,
      tables: [
        ...(comparison ? [comparisonTable(comparison)] : []),
        // Of discarded runs, the table of the generator has all that there is.
        ...(usable(runs).length > 0
          ? [...(isCompared ? referenceTables(campaign) : []), timesTable(campaign), spreadTable(campaign)]
          : []),
      ].filter(({ rows }) => rows.length > 0),
      charts: [],
      verdicts: [],
      notes: [
        ...(comparison ? [comparisonNote(comparison)] : []),
        ...(isCompared
          ? ['Published: FeatBit’s server on a t2.micro, k6 on a machine of its own; CPU and memory by top.']
          : []),
        ...mostOpen(campaign),
        ...changesNotes(campaign),
        ...returnNotes(campaign),
        ...reasonNotes(campaign),
        ...notMeasured(campaign),
        ...(runs.some(({ server }) => server)
          ? ['The server’s CPU and memory are those of its processes, second by second.']
          : []),
      ],
    };
  });
  const health: Section = {
    title: `${first?.facts.scenario}: the generator`,
    tables: campaigns.map(generatorTable),
    charts: [],
    verdicts: campaigns.flatMap(healthVerdict),
    notes: [
      'An INVALID run measured its generator, or other programs on its machine. It is in no average, and its figures are in parentheses.',
    ],
  };
  const charts = makeCharts(campaigns);
  const pictures: Section[] =
    charts.length > 0
      ? [{ title: `${first?.facts.scenario}: charts`, tables: [], charts, verdicts: [], notes: [] }]
      : [];
  return [...summaries, ...pictures, health];
}

function healthVerdict({ facts, runs }: Campaign): Verdict[] {
  const bad = runs.filter(({ invalid, partial }) => invalid.length > 0 || partial !== undefined).length;
  const text =
    bad === 0
      ? `${facts.target}: all ${runs.length} runs are good`
      : `${facts.target}: ${bad} of ${runs.length} runs are not used`;
  return [{ isGood: bad === 0, text }];
}

function mostOpen({ runs }: Campaign): string[] {
  const open = usable(runs).flatMap(({ seconds }) => seconds.map((second) => second.open));
  return open.length > 0 ? [`Most connections open at a time: ${Math.max(...open).toLocaleString('en')}.`] : [];
}

function changesNotes({ runs }: Campaign): string[] {
  return usable(runs).flatMap(({ facts, changes }) =>
    changes
      ? [
          `Run ${facts.number} at ${facts.rate}/s: ${changes.flips} changes to ${changes.clients} clients, ${changes.missing} arrivals missing.`,
        ]
      : [],
  );
}

/** What became of connections that ended and whose SDKs come back. */
function returnNotes({ runs }: Campaign): string[] {
  return usable(runs).flatMap(({ facts, counts }) => {
    const { 'came back': back = 0, 'attempts refused': refused = 0 } = counts;
    const missed = counts['error: not back when the run ended'] ?? 0;
    const ended = `Run ${facts.number} at ${facts.rate}/s: ${back.toLocaleString('en')} connections ended and came back`;
    return back + missed > 0
      ? [`${ended}, ${missed} did not, ${refused.toLocaleString('en')} attempts were refused.`]
      : [];
  });
}

function reasonNotes({ runs }: Campaign): string[] {
  const reasons = new Map<string, number>();
  for (const [why, count] of usable(runs).flatMap((run) => run.reasons))
    reasons.set(why, (reasons.get(why) ?? 0) + count);
  return [...reasons].slice(0, 10).map(([why, count]) => `${count.toLocaleString('en')} times: ${why}.`);
}

function notMeasured({ facts, runs }: Campaign): string[] {
  return [
    ...facts.notes,
    ...(runs.some(({ server }) => server) ? [] : ['NOT measured: CPU and memory of the server.']),
  ];
}

function listFacts({ facts }: Campaign, isOneOfMany: boolean): [string, string][] {
  const { machine, versions, parameters } = facts;
  const name = (what: string) => (isOneOfMany ? `${facts.scenario} against ${facts.target}: ${what}` : what);
  return [
    [name('machine'), `${machine.cpu}, ${machine.cores} cores, ${figure(machine.memoryBytes / 1024 ** 3)} GiB`],
    [name('versions'), `Node ${versions.node}, artillery ${versions.artillery}, commit ${versions.commit}`],
    [name('begun'), facts.startedAt],
    [name('parameters'), JSON.stringify(parameters)],
  ];
}
