import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Campaign, isCampaign, readCampaign } from '../results/campaign.ts';
import type { RunResult } from '../results/runResult.ts';
import { makeReport } from './campaignReport.ts';
import { makeCharts } from './charts.ts';
import { type Document, figure, makeSection, type Section } from './document.ts';
import { renderHtml } from './write.ts';

/** Seconds between two reports. Making one takes CPU time of the load generator. */
const EVERY_S = 5;

/** Rewrites `report.html` of a running campaign again and again. Browsers reload it. @param out folder of the campaign @returns ends this */
export function keepReporting(out: string): () => void {
  const known = new Map<string, RunResult>();
  const write = (reloadS?: number) => {
    try {
      const campaign = isCampaign(out) ? readCampaign(out, known) : undefined;
      writeFileSync(join(out, 'report.html'), renderHtml(growingReport(campaign, Date.now()), reloadS));
    } catch {
      // A worker is writing its file. The next report has it.
    }
  };
  mkdirSync(out, { recursive: true });
  write(EVERY_S);
  const timer = setInterval(write, EVERY_S * 1_000, EVERY_S).unref();
  return () => {
    clearInterval(timer);
    write();
  };
}

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
