import { z } from 'zod';

/** A figure; null where it could not be measured. */
const figure = z.number().nullable();
const count = z.number().int().nonnegative();

const summary = z
  .strictObject({
    count,
    ...Object.fromEntries(
      ['min', 'mean', 'p50', 'p75', 'p90', 'p95', 'p99', 'p999', 'max'].map((name) => [name, figure]),
    ),
    curve: z.array(z.tuple([z.number(), figure])).describe('share of all times, and the time that it lies below'),
  })
  .describe('milliseconds');

const facts = z.object({
  scenario: z.string(),
  target: z.string(),
  startedAt: z.iso.datetime(),
  parameters: z.record(z.string(), z.unknown()),
  ensure: z.array(z.record(z.string(), z.number())).describe('thresholds: each figure is to be at most so much'),
  machine: z.object({ cpu: z.string(), cores: count, memoryBytes: count }),
  versions: z.object({ node: z.string(), artillery: z.string(), commit: z.string() }),
  notes: z.array(z.string()).describe('what a reader of the figures must know'),
});

const run = z.object({
  facts: z.object({
    scenario: z.string(),
    rate: z.number().describe('new connections a second that were asked for'),
    number: count,
    plan: z.record(z.string(), z.unknown()),
    workers: count,
    cores: z.number(),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().optional(),
    others: z.number().optional().describe('share of the machine’s processors that other programs used'),
    stopped: z.string().optional(),
  }),
  partial: z.string().optional().describe('why there is less of it than planned: nothing of it is to be used'),
  invalid: z
    .array(z.string())
    .describe('why it says more of the generator than of the server: if any, nothing of it is to be used'),
  counts: z.record(z.string(), z.number()),
  errorPercent: figure,
  reasons: z.array(z.tuple([z.string(), z.number()])).describe('what went wrong, the most frequent first'),
  times: z.record(z.string(), summary),
  server: z
    .object({ cpuRamp: figure, cpuHold: figure, memoryRamp: figure, memoryHold: figure })
    .optional()
    .describe('peaks in the ramp and after it: shares of a core, bytes'),
  generator: z.object({ cpu: figure, lagMs: figure, intended: figure, achieved: figure, others: figure.optional() }),
  changes: z.object({ flips: count, clients: z.number(), missing: count }).optional(),
});

const comparison = z
  .object({
    baseline: z.object({ startedAt: z.iso.datetime(), commit: z.string() }),
    isGate: z.boolean().describe('whether a figure that is worse fails the command: --fail-on worse'),
    level: z.number().describe('the chance that an end of an interval is wrong'),
    leastRuns: count.describe('good runs at each rate, of both, that it takes to tell anything'),
    figures: z.array(
      z.object({
        rate: z.number(),
        name: z.string(),
        unit: z.string(),
        runs: z.object({ before: count, now: count }),
        before: z.number().describe('median over runs'),
        now: z.number().describe('median over runs'),
        change: z.number().describe('median of the differences between runs'),
        interval: z
          .tuple([z.number(), z.number()])
          .optional()
          .describe('what the change may be; missing for too few runs'),
        chance: z.number().describe('that runs which do not differ lie apart as far, in this direction'),
        verdict: z.enum(['worse', 'same', 'better', 'unclear']),
      }),
    ),
  })
  .describe('compared with an earlier campaign: --baseline');

/** What `results.json` holds: every campaign of a report, with every figure but the single seconds. */
export const resultsSchema = z.array(z.object({ facts, comparison: comparison.optional(), runs: z.array(run) }));

/** The same as JSON Schema: `npm run report -- --schema`. */
export function resultsJsonSchema(): string {
  const schema = z.toJSONSchema(resultsSchema, { io: 'input' });
  return JSON.stringify({ title: 'results.json of npm run loadtest and npm run report', ...schema }, null, 2);
}
