import { markdownTable } from '../../shared/command/markdownTable.ts';
import { figure, type Table } from '../report/document.ts';
import { referenceTables } from '../report/referenceTables.ts';
import { spreadTable, timesTable } from '../report/runTables.ts';
import { isBesidePublished } from '../report/verdict.ts';
import { type Campaign, usable } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import { crossCheck } from './crossCheck.ts';

/** Campaigns as `results.json` keeps them: without the single seconds of their runs. */
export type KeptCampaigns = readonly (Pick<Campaign, 'facts'> & {
  readonly runs: readonly Omit<RunResult, 'seconds'>[];
})[];

/** What a reader of a campaign is told was complete, by the name of the count. */
const COMPLETE = [
  ['syncs answered', 'data-syncs answered'],
  ['messages answered', 'pings and messages answered'],
  ['came back', 'connections ended and came back'],
  ['errors', 'errors'],
] as const;

/** What of data-syncs' answers was checked. SDKs on servers get documents, and whoever comes back gets what is newer. */
function checkOf(scenario: string): string {
  return scenario === 'sdks'
    ? 'full ones of client SDKs checked flag by flag, documents of server SDKs counted'
    : 'each checked flag by flag';
}

/** `docs/results/load.md`: what the load test found. */
export function loadPage(kept: KeptCampaigns): string {
  const campaigns = kept.map(({ facts, runs }) => ({ facts, runs: runs.map((run) => ({ ...run, seconds: [] })) }));
  return `<!-- Written by \`npm run results\`. -->

# The load test, run here

Artillery on one core, what it is sent to on another, each answer checked. Everything with charts is in [load/report.html](load/report.html) (save it and
open it), in Markdown in [load/report.md](load/report.md), and as figures in [load/results.json](load/results.json).

**This is no t2.micro, and FeatBit's figures beside ours are no race**: theirs are of a t2.micro that k6 loaded from another machine over a network; ours are of a
core that is probably several times faster, over the loopback. What transfers is the shape (how P99 grows with the rate), completeness, and memory within limits: where two
processes share a port, because one may open no more than 20,000 files here, each has its own before anybody connects. What does not: times and rates of a
t2.micro, whose core is slower by a factor that was not measured and runs at a tenth of that once its credits are used up, and the network.

${campaigns.map(sectionOf).join('\n\n')}

${crossCheck}
`;
}

function sectionOf(campaign: Campaign): string {
  const { facts, runs } = campaign;
  const { machine, versions } = facts;
  const used = usable(runs);
  const rates = [...new Set(runs.map((run) => run.facts.rate))].join(',');
  const target = facts.target === 'host' ? '' : ` --target ${facts.target}`;
  const stamp =
    `\`npm run loadtest -- ${facts.scenario} --rates ${rates}${target}\` on ${facts.startedAt.slice(0, 10)}, ` +
    `commit \`${versions.commit}\`, Node ${versions.node.replace(/^v/, '')}, artillery ${versions.artillery}, ${machine.cores} cores of ${machine.cpu}: ` +
    `${used.length} of ${runs.length} runs are used.`;
  const complete = COMPLETE.flatMap(([name, text]) => {
    const count = used.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
    const checked = name === 'syncs answered' ? `, ${checkOf(facts.scenario)}` : '';
    return count > 0 || name === 'errors' ? [`- ${text}${checked}: ${count.toLocaleString('en')}`] : [];
  });
  const changes = used.flatMap(({ changes: all }) =>
    all ? [`- ${all.flips} changes to ${figure(all.clients)} clients: ${all.missing} arrivals missing`] : [],
  );
  const tables = [
    ...(isBesidePublished(campaign) ? referenceTables(campaign) : []),
    spreadTable(campaign),
    timesTable(campaign),
  ];
  return [
    `## ${facts.scenario}: ${facts.target}`,
    stamp,
    [...complete, ...changes].join('\n'),
    ...tables.map(tableOf),
  ].join('\n\n');
}

function tableOf({ caption = '', head, rows }: Table): string {
  return `${caption}:\n\n${markdownTable(
    head,
    rows.map((row) => row.map(String)),
  )}`;
}
