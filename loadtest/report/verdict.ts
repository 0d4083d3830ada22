import { type Campaign, isLimited, usable } from '../results/campaign.ts';
import { checkGates, formatGate } from '../results/gates.ts';
import type { Verdict } from './document.ts';

/** The worst run for each threshold, as sentences. */
export function listVerdicts({ facts, runs }: Campaign): Verdict[] {
  const name = `${facts.scenario} against ${facts.target}`;
  const used = usable(runs);
  if (used.length === 0) {
    const all = `${runs.length === 1 ? 'the only run' : `each of ${runs.length} runs`} of ${name}`;
    const what = runs.every(isLimited) ? `the load generator limited ${all}` : `${all} was limited or ended early`;
    return [{ isGood: false, text: `No result: ${what}` }];
  }
  return facts.ensure.flatMap((line) => {
    const gates = used.flatMap((run) => checkGates(run, [line]).map((gate) => ({ ...gate, rate: run.facts.rate })));
    const [first, ...others] = gates;
    if (!first) return [];
    const worst = others.reduce((a, b) => (Number.isNaN(b.measured) || b.measured > a.measured ? b : a), first);
    const failed = gates.filter(({ isKept }) => !isKept).length;
    const all = used.length === 1 ? 'The only run' : `The worst of ${used.length} runs`;
    const missed = failed > 0 && used.length > 1 ? `; ${failed} did not meet it` : '';
    const at = `${all} of ${name}, at ${worst.rate.toLocaleString('en')}/s${missed}`;
    return [{ isGood: worst.isKept, text: `${formatGate(worst)}. ${at}` }];
  });
}
