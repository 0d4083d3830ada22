import { z } from 'zod';
import { origin } from '../results/schema.ts';

/** The sources of figures. */
export const SOURCES = {
  published: "FeatBit's benchmark page",
  here: 'measured on this machine',
  simulated: "measured in the emulator on this machine, with AWS's quotas and the known service times",
  none: 'not measured',
} as const;

const cellSource = z.enum(Object.keys(SOURCES) as [keyof typeof SOURCES]);

const cell = z.object({
  value: z.number().nullable().describe('figure of all clients or median of the runs, or null without a figure'),
  range: z.tuple([z.number(), z.number()]).optional().describe('lowest and highest run, if there are several'),
  isDisturbed: z.boolean().optional().describe('true if other programs disturbed each attempt'),
  text: z.string().optional().describe('value that is not a number'),
  source: cellSource.describe('source of the figure'),
});

const table = z.object({
  title: z.string(),
  rows: z.array(
    z.object({
      rate: z.number().optional().describe('new connections a second'),
      name: z.string(),
      unit: z.string(),
      cells: z.record(z.string(), cell).describe('by column'),
    }),
  ),
});

const lengths = { short: z.number().int(), full: z.number().int() };
const runs = z
  .object({
    ...lengths,
    made: z.object(lengths).optional().describe('also the disturbed ones'),
    others: z
      .number()
      .optional()
      .describe('share of the machine’s CPU time that other programs used, median of these runs'),
  })
  .optional()
  .describe('complete and undisturbed runs at each rate, of 45 s and of 180 s');

/** The contents of `comparison.json`. */
export const comparisonSchema = z.object({
  ...origin,
  endedAt: z.iso.datetime(),
  columns: z
    .array(
      z.object({ name: z.string(), title: z.string(), source: cellSource, setup: z.string(), part: z.number(), runs }),
    )
    .describe('compared designs; part: the emulated fraction of rates and quotas'),
  tables: z.array(table),
  notes: z.array(z.string()),
});

export type ComparisonReport = z.infer<typeof comparisonSchema>;
export type Cell = z.infer<typeof cell>;
export type Row = z.infer<typeof table>['rows'][number];
