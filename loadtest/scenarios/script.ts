import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { requirement } from '../../shared/command/requirement.ts';
import { SDKS, type SdkName } from './sdks.ts';

/** The default script. */
export const SDK_SCRIPT = join(import.meta.dirname, 'sdks.yml');

const name = z.string().optional();
const seconds = z.number().positive();
const names = Object.keys(SDKS) as [SdkName, ...SdkName[]];

/** New connections at a constant rate, or a pause. */
const phase = z.union([
  z.strictObject({ name, duration: seconds, arrivalRate: seconds }),
  z.strictObject({ name, pause: seconds }),
]);
export type Phase = Readonly<z.output<typeof phase>>;

/** A mix of SDKs, with the keys of artillery's scripts. Times are in seconds. */
const form = z
  .strictObject({
    config: z.strictObject({
      phases: z
        .array(phase)
        .min(1)
        .refine((phases) => phases.some((each) => 'arrivalRate' in each), 'none of them opens connections'),
      variables: z
        .strictObject({
          /** Number of flags for server-side SDKs. */
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
          /** Relative number of connections. */
          weight: z.number().int().min(1).max(1_000),
          variables: z
            .strictObject({
              /** Seconds between pings. 0 turns them off. */
              ping: z.number().min(0).optional(),
              /** Percentage of users that identify as another user while they are connected. */
              identifyPercent: z.number().min(0).max(100).default(0),
            })
            .prefault({}),
        }),
      )
      .min(1)
      .refine((all) => new Set(all.map((each) => each.name)).size === all.length, 'an SDK is there twice'),
  })
  .transform(({ config: { phases, variables }, scenarios }) => {
    const { flags, drainAt: atS, drainOver: overS } = variables;
    const sdks = scenarios.map(({ name: sdk, weight, variables: { ping, identifyPercent } }) => [
      sdk,
      { weight, pingS: ping ?? SDKS[sdk].pingSeconds, identifyPercent },
    ]);
    return {
      phases,
      flags,
      ...(atS !== undefined && { drain: { atS, overS } }),
      sdks: Object.fromEntries(sdks) as Sdks,
    };
  });
type Sdks = Readonly<Partial<Record<SdkName, { weight: number; pingS: number; identifyPercent: number }>>>;
export type Script = Readonly<z.output<typeof form>>;

/** Reads a script. @throws Error that names the invalid part of the file */
export function readScript(path: string): Script {
  return parseScript(readFileSync(path, 'utf8'), path);
}

/** Parses a script. @param origin its name in errors @throws Error as {@link readScript} does */
export function parseScript(text: string, origin: string): Script {
  const script = readForm(text, origin);
  const { phases, drain, sdks } = script;
  const identifying = names.find((sdk) => SDKS[sdk].type === 'server' && (sdks[sdk]?.identifyPercent ?? 0) > 0);
  if (identifying !== undefined)
    throw new Error(`${origin} cannot be used: ${identifying} runs on a server and has no user who identifies.`);
  if (drain && drain.atS >= totalSeconds(phases))
    throw new Error(`${origin} cannot be used: all phases are over after ${totalSeconds(phases)} s, before drainAt.`);
  return script;
}

function readForm(text: string, origin: string): Script {
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
