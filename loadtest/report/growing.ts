import type { Campaign } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import { makeReport } from './campaignReport.ts';
import { makeCharts } from './charts.ts';
import { type Document, figure, makeSection, type Section } from './document.ts';

/**
 * The report of a running campaign: first the current run, then all finished runs. The unfinished run has its
 * own figures and charts, and is in no verdict.
 *
 * @param campaign undefined before it has begun
 * @param now unix milliseconds
 */
export function growingReport(campaign: Campaign | undefined, now: number): Document {
  const waiting = makeSection('No run is active', {});
  if (!campaign) return { title: 'Flagwire under load', facts: [], sections: [waiting] };
  const finished = campaign.runs.filter(({ facts }) => facts.endedAt !== undefined);
  const running = campaign.runs.find(({ facts }) => facts.endedAt === undefined);
  const { title, facts, sections } = makeReport([{ ...campaign, runs: finished }]);
  const current = running ? runningSection(campaign, running, now) : waiting;
  const notes = [...current.notes, `Finished runs: ${finished.length}.`];
  return { title, facts, sections: [{ ...current, notes }, ...(finished.length > 0 ? sections : [])] };
}

function runningSection({ facts }: Campaign, { partial: _, ...run }: RunResult, now: number): Section {
  const { rate, number, plan, startedAt } = run.facts;
  const seconds = Math.round((now - Date.parse(startedAt)) / 1_000);
  const open = run.seconds.at(-1)?.open ?? 0;
  const times = Object.entries(run.times).map(
    ([name, { p50, p99 }]) => `${name}: P50 ${figure(p50)} ms, P99 ${figure(p99)} ms.`,
  );
  return makeSection(`Running: ${facts.scenario} at ${rate.toLocaleString('en')}/s, run ${number}`, {
    charts: makeCharts([{ facts, runs: [{ ...run, invalid: [] }] }]),
    notes: [
      `${seconds} of about ${Math.round(plan.durationS)} s; ${open.toLocaleString('en')} connections are open.`,
      ...times,
      `${run.counts['errors'] ?? 0} errors so far.`,
    ],
  });
}
