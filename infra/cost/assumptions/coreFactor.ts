/** How much longer the same work takes on Lambda or Fargate than on the machine that was measured. */
export const CORE_FACTOR = { cheap: 0.9, likely: 1.3, dear: 2 };

/** What a figure is called that rests on nothing else. */
export const JUDGEMENT = 'judgement, not measured';

/** Where the measurements are. */
export const FUNCTIONS = 'docs/results/functions.json';
export const HOST = 'docs/results/host.md';
