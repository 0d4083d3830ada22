import type { CampaignFacts } from './campaign.ts';

/** What the memory of two machines of one kind may differ by. */
const SAME_MEMORY = 0.1;

/** In what two campaigns differ, so that a difference of their figures says nothing of the server. */
export interface CampaignMismatch {
  readonly what: 'scenario' | 'target' | 'load' | 'machine';
  readonly was: string;
  readonly is: string;
}

/** @returns undefined where figures of the two can be compared: rates, runs, thresholds and versions may differ */
export function findMismatch(before: CampaignFacts, now: CampaignFacts): CampaignMismatch | undefined {
  const all: readonly (readonly [CampaignMismatch['what'], (facts: CampaignFacts) => string])[] = [
    ['scenario', ({ scenario }) => scenario],
    ['target', ({ target }) => target],
    ['load', formatLoad],
  ];
  for (const [what, of] of all) {
    const [was, is] = [of(before), of(now)];
    if (was !== is) return { what, was, is };
  }
  const isSame = isSameMachine(before.machine, now.machine);
  return isSame ? undefined : { what: 'machine', was: describe(before.machine), is: describe(now.machine) };
}

/** The parameters that every run has, as text. */
function formatLoad({ parameters }: CampaignFacts): string {
  return JSON.stringify({ ...parameters, rates: undefined, runs: undefined });
}

function isSameMachine(a: CampaignFacts['machine'], b: CampaignFacts['machine']): boolean {
  const isSameSize = Math.abs(a.memoryBytes / b.memoryBytes - 1) <= SAME_MEMORY;
  return a.cpu === b.cpu && a.cores === b.cores && isSameSize;
}

function describe({ cpu, cores, memoryBytes }: CampaignFacts['machine']): string {
  return `${cpu} with ${cores} cores and ${Math.round(memoryBytes / 1024 ** 3)} GiB`;
}
