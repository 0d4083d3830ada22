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

/** What the SDKs of one kind do. */
export interface SdkPart {
  /** Its share of all connections, against the weights of the others. */
  readonly weight: number;
  /** Seconds between pings; 0 never. */
  readonly pingS: number;
  /** Of a hundred users, how many identify as somebody else while they are connected. */
  readonly identifyPercent: number;
}

/** Who connects, how, and what happens during it, with keys named as in artillery's scripts. Times are in seconds. */
export interface Script {
  readonly phases: readonly Phase[];
  /** Flags of the environment that server SDKs ask for. */
  readonly flags: number;
  /** When all connections are closed with 1001, and over which time. */
  readonly drain?: { readonly atS: number; readonly overS: number };
  readonly sdks: Readonly<Partial<Record<SdkName, SdkPart>>>;
}

/** The script that is used unless another is named. */
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

/** @throws Error that says what of the file is not as it must be, when it cannot be read or used */
export function readScript(path: string): Script {
  return parseScript(readFileSync(path, 'utf8'), path);
}

/** Reads a script. @param origin names it in errors @throws Error as {@link readScript} does */
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

/** How long phases take together. */
export function totalSeconds(phases: readonly Phase[]): number {
  return phases.reduce((sum, phase) => sum + ('pause' in phase ? phase.pause : phase.duration), 0);
}

/** The highest of a script's rates, in new connections a second. */
export function busiestRate({ phases }: Script): number {
  return Math.max(...phases.map((phase) => ('arrivalRate' in phase ? phase.arrivalRate : 0)));
}
