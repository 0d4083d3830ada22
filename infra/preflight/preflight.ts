import { readConfig } from '../config/config.ts';
import type { GivenContext } from '../config/contextOption.ts';
import { readAccount, regionOf } from './account.ts';
import { findingsFor } from './findings.ts';
import { settingsFor } from './settings.ts';

/** What a look at the account came to. */
export interface Preflight {
  /** Whether AWS would refuse the deployment. */
  readonly isRefused: boolean;
  /** Context that the account decides, to be deployed with. */
  readonly settings: GivenContext;
}

/**
 * Reads what the account lets a deployment have, before anything is created, and says in one line each what will not work. What
 * cannot be read is said, and holds up nothing.
 *
 * @param context of cdk.json and the command line
 * @throws ConfigError as `readConfig` does, also for what the region does not have
 */
export async function preflight(
  context: Readonly<Record<string, unknown>>,
  say: (line: string) => void,
): Promise<Preflight> {
  const { env, fargate } = readConfig(context);
  const region = env.region ?? (await regionOf(process.env));
  if (region === undefined) {
    say('The account was not looked at, as no region is set: AWS_REGION, or -c flagwire:region=<region>.');
    return { isRefused: false, settings: {} };
  }
  const { limits, unread } = await readAccount(region, fargate !== undefined);
  for (const line of unread) say(`${line} Whether that suffices is not known.`);
  const own = readConfig({ ...context, 'flagwire:region': region });
  const decided = settingsFor(context, own, limits);
  for (const { key, value, isRead } of decided)
    say(`-c ${key}=${value}, ${isRead ? 'as the account has it' : 'the default'} in ${region}.`);
  const settings = Object.fromEntries(decided.map(({ key, value }) => [key, String(value)]));
  const findings = findingsFor(readConfig({ ...context, ...settings, 'flagwire:region': region }), limits);
  for (const { text } of findings) say(text);
  return { isRefused: findings.some(({ isRefused }) => isRefused), settings };
}
