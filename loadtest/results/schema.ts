import { z } from 'zod';
import type { LoadProfile } from '../scenarios/loadProfile.ts';

/** A figure. If it could not be measured, it is NaN here, and null in JSON. */
const figure = z.number().nullable() as z.ZodType<unknown, unknown> as z.ZodType<number, number | null>;
const count = z.number().int().nonnegative();

const summary = z
  .strictObject({
    count,
    ...Object.fromEntries(
      ['min', 'mean', 'p50', 'p75', 'p90', 'p95', 'p99', 'p999', 'max'].map((name) => [name, figure]),
    ),
    curve: z.array(z.tuple([z.number(), figure])).describe('share of all times, and the time below which it lies'),
  })
  .describe('milliseconds');

/** The start, the machine of the load generator, and the versions of a measurement. */
export const origin = {
  startedAt: z.iso.datetime(),
  machine: z.object({ cpu: z.string(), cores: count, memoryBytes: count }),
  versions: z.object({ node: z.string(), artillery: z.string(), commit: z.string() }),
};

export const campaignFacts = z.object({
  scenario: z.string(),
  target: z.string(),
  ...origin,
  parameters: z.record(z.string(), z.unknown()),
  ensure: z.array(z.record(z.string(), z.number())).readonly().describe('thresholds: the upper limit of each figure'),
  notes: z.array(z.string()).readonly().describe('what a reader must know to read the figures right'),
});

const runFacts = z.object({
  scenario: z.string(),
  rate: z.number().describe('requested new connections a second'),
  number: count.describe('number of the run at its rate, from 1'),
  plan: z.record(z.string(), z.unknown()),
  workers: count,
  cores: z.number().describe('CPU cores of the load generator'),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional().describe('missing while it runs, or if it was killed'),
  others: z.number().optional().describe('share of the machine’s CPU time that other programs used'),
  stopped: z.string().optional().describe('why it ended early'),
});

const changes = z
  .object({ flips: count, clients: z.number(), missing: count })
  .describe('changes, connected clients at the first change, and missing arrivals over all changes');

const run = z.object({
  facts: runFacts,
  partial: z.string().optional().describe('why the run ended early. Do not use its figures'),
  invalid: z
    .array(z.string())
    .describe('why the load generator limited the run. If there is a reason, do not use its figures'),
  counts: z.record(z.string(), z.number()),
  errorPercent: figure,
  reasons: z.array(z.tuple([z.string(), z.number()])).describe('errors with their counts, most frequent first'),
  times: z.record(z.string(), summary),
  server: z
    .object({
      cpuRamp: figure,
      cpuHold: figure,
      memoryRamp: figure,
      memoryHold: figure,
    })
    .optional()
    .describe('peaks while connections open, and after that: shares of a core, bytes'),
  generator: z.object({ cpu: figure, lagMs: figure, intended: figure, achieved: figure, others: figure.optional() }),
  changes: changes.optional(),
  sixths: z
    .array(z.object({ syncP99: figure, memory: figure }))
    .describe('P99 of data-syncs in milliseconds and median memory of the server in bytes. A leak shows in a long run'),
});

/** The contents of `results.json`: each campaign of a report, without the figures of single seconds. */
export const resultsSchema = z.array(z.object({ facts: campaignFacts, runs: z.array(run) }));

/** The facts of a run. They are written at its start and at its end. */
export type RunFacts = Readonly<Omit<z.infer<typeof runFacts>, 'plan'>> & { readonly plan: LoadProfile };
/** The figures of a run. */
export type RunFigures = Readonly<z.infer<typeof run>>;
/** The changes during a run. */
export type Changes = Readonly<z.infer<typeof changes>>;
