import type { CampaignFacts } from './campaign.ts';

/** Maximum relative difference in memory of two equal machines. */
const SAME_MEMORY = 0.1;

/** A difference between two campaigns that makes their figures incomparable. */
export interface CampaignMismatch {
  readonly what: 'scenario' | 'target' | 'load' | 'machine';
  readonly was: string;
  readonly is: string;
}

/** @returns undefined if the figures can be compared. Rates, runs, thresholds and versions may differ */
export function findMismatch(before: CampaignFacts, now: CampaignFacts): CampaignMismatch | undefined {
  const describe = {
    scenario: (facts: CampaignFacts) => facts.scenario,
    target: ({ target }: CampaignFacts) => target,
    load: formatLoad,
  };
  for (const what of ['scenario', 'target', 'load'] as const) {
    const [was, is] = [describe[what](before), describe[what](now)];
    if (was !== is) return { what, was, is };
  }
  const [a, b] = [before.machine, now.machine];
  const isSameSize = Math.abs(a.memoryBytes / b.memoryBytes - 1) <= SAME_MEMORY;
  if (a.cpu === b.cpu && a.cores === b.cores && isSameSize) return undefined;
  return { what: 'machine', was: describeMachine(a), is: describeMachine(b) };
}

/** The parameters that all runs share, as text. */
function formatLoad({ parameters }: CampaignFacts): string {
  return JSON.stringify({ ...parameters, rates: undefined, runs: undefined });
}

function describeMachine({ cpu, cores, memoryBytes }: CampaignFacts['machine']): string {
  return `${cpu} with ${cores} cores and ${Math.round(memoryBytes / 1024 ** 3)} GiB`;
}
