import type { StageFile } from '../config/stageFile.ts';
import { readAccount, regionOf } from './account.ts';
import { accountFindings } from './accountFindings.ts';
import { accountSettingsFor } from './accountSettings.ts';
import { readAccountState, wantedState } from './accountState.ts';
import { findingsFor } from './findings.ts';
import { describeUnread } from './unread.ts';

/** What a look at the account came to. */
export interface Preflight {
  /** Whether AWS would refuse the deployment. */
  readonly isRefused: boolean;
  /** Settings that the account decides, to be deployed with. */
  readonly settings: Readonly<Record<string, number | string>>;
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
  const wanted = wantedState(file.config({ region }));
  const [{ limits, ...quotas }, { state, ...account }] = await Promise.all([
    readAccount(region, fargate !== undefined),
    readAccountState(region, wanted),
  ]);
  for (const line of describeUnread([...quotas.unread, ...account.unread], region)) say(line);
  const decided = accountSettingsFor(file.read(), file.config({ region }), limits, state);
  for (const { key, value, isRead } of decided)
    say(`${key}=${value}, ${isRead ? 'as the account has it' : 'the default'} in ${region}.`);
  const settings = Object.fromEntries(decided.map(({ key, value }) => [key, value]));
  const findings = [...findingsFor(file.config({ ...settings, region }), limits), ...accountFindings(wanted, state)];
  for (const { text } of findings) say(text);
  return { isRefused: findings.some(({ isRefused }) => isRefused), settings };
}
