import type { StageFile } from '../config/stageFile.ts';
import { readAccount, regionOf } from './account.ts';
import { accountSettingsFor } from './accountSettings.ts';
import { findingsFor } from './findings.ts';

/** What a look at the account came to. */
export interface Preflight {
  /** Whether AWS would refuse the deployment. */
  readonly isRefused: boolean;
  /** Settings that the account decides, to be deployed with. */
  readonly settings: Readonly<Record<string, number>>;
}

/**
 * Reads what the account lets a deployment have, before anything is created, and says in one line each what will not work. What
 * cannot be read is said, and holds up nothing.
 *
 * @param file the settings of the stage
 * @throws ConfigError as `StageFile.config` does, also for what the region does not have
 */
export async function preflight(file: StageFile, say: (line: string) => void): Promise<Preflight> {
  const { fargate, region: chosen } = file.config();
  const region = chosen ?? (await regionOf(process.env));
  if (region === undefined) {
    say('The account was not looked at, as no region is set: AWS_REGION, or --set region=<region>.');
    return { isRefused: false, settings: {} };
  }
  const { limits, unread } = await readAccount(region, fargate !== undefined);
  for (const line of unread) say(`${line} Whether that suffices is not known.`);
  const decided = accountSettingsFor(file.read(), file.config({ region }), limits);
  for (const { key, value, isRead } of decided)
    say(`${key}=${value}, ${isRead ? 'as the account has it' : 'the default'} in ${region}.`);
  const settings = Object.fromEntries(decided.map(({ key, value }) => [key, value]));
  const findings = findingsFor(file.config({ ...settings, region }), limits);
  for (const { text } of findings) say(text);
  return { isRefused: findings.some(({ isRefused }) => isRefused), settings };
}
