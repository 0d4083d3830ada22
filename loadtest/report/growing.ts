import type { Campaign } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import { reportOf } from './campaignReport.ts';
import { chartsOf } from './charts.ts';
import { type Document, figure, type Section } from './document.ts';

/**
 * The report of a campaign that goes on: first the run that is being made, then what all that are over say. The unfinished run has its
 * own figures and charts, and is in no verdict.
 *
 * @param campaign undefined before it has begun
 * @param now unix milliseconds
 */
export function growingReport(campaign: Campaign | undefined, now: number): Document {
  const waiting: Section = { title: 'No run is going on', tables: [], charts: [], verdicts: [], notes: [] };
  if (!campaign) return { title: 'Flagwire under load', facts: [], sections: [waiting] };
  const over = campaign.runs.filter(({ facts }) => facts.endedAt !== undefined);
  const running = campaign.runs.find(({ facts }) => facts.endedAt === undefined);
  const { title, facts, sections } = reportOf([{ ...campaign, runs: over }]);
  const current = running ? runningSection(campaign, running, now) : waiting;
  const notes = [...current.notes, `Runs that are over: ${over.length}.`];
  return { title, facts, sections: [{ ...current, notes }, ...(over.length > 0 ? sections : [])] };
}

function runningSection({ facts }: Campaign, { partial: _, ...run }: RunResult, now: number): Section {
  const { rate, number, plan, startedAt } = run.facts;
  const seconds = Math.round((now - Date.parse(startedAt)) / 1_000);
  const open = run.seconds.at(-1)?.open ?? 0;
  const times = Object.entries(run.times).map(
    ([name, { p50, p99 }]) => `${name}: P50 ${figure(p50)} ms, P99 ${figure(p99)} ms.`,
  );
  return {
    title: `Going on: ${facts.scenario} at ${rate.toLocaleString('en')}/s, run ${number}`,
    tables: [],
    charts: chartsOf([{ facts, runs: [{ ...run, invalid: [] }] }]),
    verdicts: [],
    notes: [
      `${seconds} of about ${Math.round(plan.durationS)} s; ${open.toLocaleString('en')} connections are open.`,
      ...times,
      `${run.counts['errors'] ?? 0} errors so far.`,
    ],
  };
}
