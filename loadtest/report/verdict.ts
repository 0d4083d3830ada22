import { type Campaign, usable } from '../results/campaign.ts';
import { checkGates, type Gate } from '../results/gates.ts';
import { published } from '../results/published.ts';
import type { RunResult } from '../results/runResult.ts';
import { comparisonVerdict } from './comparisonTable.ts';
import { figure, figureOfRuns, type Section, type Verdict } from './document.ts';

/** The first section: whether thresholds were met and by how much, and the comparison with FeatBit. */
export function verdictSection(campaigns: readonly Campaign[]): Section {
  return {
    title: 'Verdict',
    tables: [],
    charts: [],
    verdicts: campaigns.flatMap((campaign) => [...listVerdicts(campaign), ...comparisonVerdict(campaign)]),
    notes: campaigns.filter(isComparableToPublished).flatMap(compareWithPublished),
  };
}

/** Whether a campaign is compared with FeatBit's figures. `npm start` is not: it emulates AWS in one process, at lower rates. */
export function isComparableToPublished({ facts }: Campaign): boolean {
  return facts.scenario === 'reference' && facts.target !== 'local';
}

/** Every threshold over all runs that count. */
function listVerdicts({ facts, runs }: Campaign): Verdict[] {
  const name = `${facts.scenario} against ${facts.target}`;
  const used = usable(runs);
  if (used.length === 0) return [{ isGood: false, text: `${name}: no result: ${allRuns(runs.length)} discarded` }];
  return facts.ensure.flatMap((line) => {
    const gates = used.flatMap((run) => checkGates(run, [line]).map((gate) => ({ gate, run })));
    const worst = gates.reduce((a, b) => (isWorse(b.gate, a.gate) ? b : a), gates[0] as (typeof gates)[number]);
    return worst ? [makeVerdict(name, worst, gates.filter(({ gate }) => !gate.isKept).length, used.length)] : [];
  });
}

function allRuns(count: number): string {
  return count === 1 ? 'the only run was' : `all ${count} runs were`;
}

function isWorse(a: Gate, b: Gate): boolean {
  return Number.isNaN(a.measured) || a.measured > b.measured;
}

function makeVerdict(
  name: string,
  { gate, run }: { readonly gate: Gate; readonly run: RunResult },
  failed: number,
  runs: number,
): Verdict {
  const { name: what, measured, atMost, isKept } = gate;
  const worst = Number.isNaN(measured)
    ? 'it was not measured'
    : `the worst is ${figure(measured)} at ${run.facts.rate.toLocaleString('en')}/s${distance(measured, atMost)}`;
  const outcome = isKept ? `met in all ${runs} runs` : `not met in ${failed} of ${runs} runs`;
  return { isGood: isKept, text: `${name}: ${what} at most ${atMost}: ${outcome}; ${worst}` };
}

function distance(measured: number, atMost: number): string {
  if (atMost === 0 || measured === atMost) return '';
  const percent = figure(Math.abs(100 * (measured / atMost - 1)));
  return `, ${percent} % ${measured < atMost ? 'below' : 'above'}`;
}

function compareWithPublished(campaign: Campaign): string[] {
  const { facts, runs } = campaign;
  const lines = published.flatMap(({ rate, p99 }) => {
    const ours = usable(runs).filter((run) => run.facts.rate === rate);
    if (ours.length === 0) return [];
    const p99s = figureOfRuns(ours.map(({ times }) => times['sync']?.p99 ?? Number.NaN));
    return [
      `At ${rate.toLocaleString('en')}/s, P99 of data-syncs: ${p99s} ms against ${facts.target}, ${p99} ms published by FeatBit.`,
    ];
  });
  return lines.length > 0 ? [...lines, whyNoRace(campaign)] : [];
}

function whyNoRace({ facts }: Campaign): string {
  const { cpu, cores } = facts.machine;
  const way =
    facts.target === 'host' ? 'over the loopback of the same machine' : 'over the network between generator and target';
  return (
    `The two are not directly comparable: FeatBit's server ran on a t2.micro, with k6 on another machine of its network; here the generator ran on ${cores} cores of ` +
    `${cpu}, ${way}. Both measure from the data-sync to its answer, without the handshake.`
  );
}
