import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { requirement } from '../../shared/command/requirement.ts';
import { SDKS, type SdkName } from './sdks.ts';

/** New connections at a constant rate, or a pause. */
export type Phase =
  | { readonly duration: number; readonly arrivalRate: number; readonly name?: string }
  | { readonly pause: number; readonly name?: string };

/** The behavior of SDKs of one kind. */
export interface SdkPart {
  /** Relative number of connections. */
  readonly weight: number;
  /** Seconds between pings. 0 turns them off. */
  readonly pingS: number;
  /** Percentage of users that identify as another user while they are connected. */
  readonly identifyPercent: number;
}

/** A mix of SDKs, with the keys of artillery's scripts. Times are in seconds. */
export interface Script {
  readonly phases: readonly Phase[];
  /** Number of flags for server-side SDKs. */
  readonly flags: number;
  /** The time of a drain, and its duration. */
  readonly drain?: { readonly atS: number; readonly overS: number };
  readonly sdks: Readonly<Partial<Record<SdkName, SdkPart>>>;
}

/** The default script. */
export const SDK_SCRIPT = join(import.meta.dirname, 'sdks.yml');

const name = z.string().optional();
const seconds = z.number().positive();
const names = Object.keys(SDKS) as [SdkName, ...SdkName[]];

const form = z.strictObject({
  config: z.strictObject({
    phases: z
      .array(
        z.union([
          z.strictObject({ name, duration: seconds, arrivalRate: seconds }),
          z.strictObject({ name, pause: seconds }),
        ]),
      )
      .min(1)
      .refine((phases) => phases.some((phase) => 'arrivalRate' in phase), 'none of them opens connections'),
    variables: z
      .strictObject({
        flags: z.number().int().min(1).max(10_000).default(3_000),
        drainAt: seconds.optional(),
        drainOver: seconds.default(5),
      })
      .prefault({}),
  }),
  scenarios: z
    .array(
      z.strictObject({
        name: z.enum(names),
        weight: z.number().int().min(1).max(1_000),
        variables: z
          .strictObject({ ping: z.number().min(0).optional(), identifyPercent: z.number().min(0).max(100).default(0) })
          .prefault({}),
      }),
    )
    .min(1)
    .refine((all) => new Set(all.map((each) => each.name)).size === all.length, 'an SDK is there twice'),
});

/** Reads a script. @throws Error that names the invalid part of the file */
export function readScript(path: string): Script {
  return parseScript(readFileSync(path, 'utf8'), path);
}

/** Parses a script. @param origin its name in errors @throws Error as {@link readScript} does */
export function parseScript(text: string, origin: string): Script {
  const { config, scenarios } = readForm(text, origin);
  const { flags, drainAt, drainOver } = config.variables;
  const parts = scenarios.map(({ name: sdk, weight, variables: { ping, identifyPercent } }): [SdkName, SdkPart] => {
    if (identifyPercent > 0 && SDKS[sdk].type === 'server')
      throw new Error(`${origin} cannot be used: ${sdk} runs on a server and has no user who identifies.`);
    return [sdk, { weight, pingS: ping ?? SDKS[sdk].pingSeconds, identifyPercent }];
  });
  const phases = config.phases as Phase[];
  if (drainAt !== undefined && drainAt >= totalSeconds(phases))
    throw new Error(`${origin} cannot be used: all phases are over after ${totalSeconds(phases)} s, before drainAt.`);
  return {
    phases,
    flags,
    ...(drainAt !== undefined && { drain: { atS: drainAt, overS: drainOver } }),
    sdks: Object.fromEntries(parts),
  };
}

function readForm(text: string, origin: string): z.output<typeof form> {
  try {
    return form.parse(parse(text), { error: (issue) => requirement(issue) });
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`${origin} cannot be used:\n${why}`);
  }
}

/** The total duration of phases. */
export function totalSeconds(phases: readonly Phase[]): number {
  return phases.reduce((sum, phase) => sum + ('pause' in phase ? phase.pause : phase.duration), 0);
}

/** The highest of a script's rates, in new connections a second. */
export function busiestRate({ phases }: Script): number {
  return Math.max(...phases.map((phase) => ('arrivalRate' in phase ? phase.arrivalRate : 0)));
}
