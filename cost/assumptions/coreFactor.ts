/** How much longer the same work takes on Lambda or Fargate than on the machine that was measured. */
export const CORE_FACTOR = { low: 0.9, expected: 1.3, high: 2 };

/** The source of a figure that has no other. */
export const JUDGEMENT = 'judgement, not measured';

/** Where the measurements are. */
export const FUNCTIONS = 'docs/results/functions.json';
export const HOST = 'docs/results/peers/sizes.json';
