import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/configError.ts';
import { DECIDED_SETTINGS } from '../config/decidedSettings.ts';
import { deploymentName } from '../config/deploymentName.ts';
import type { RecordedSettings } from '../config/recordedSettings.ts';
import { valueAt } from '../config/settingsList.ts';
import type { StageFile } from '../config/stageFile.ts';
import { readAccount } from './account.ts';
import { type AccountSetting, accountSettingsFor } from './accountSettings.ts';
import { type AccountState, readAccountState } from './accountState.ts';
import { type Identity, readIdentity } from './callerIdentity.ts';
import { type EntryState, readEntryState } from './entryState.ts';
import { describeUnread, type Unread } from './finding.ts';
import { typesOutside } from './machineFindings.ts';
import type { AccountLimits } from './quotas.ts';
import { readDeployedSettings } from './recorded.ts';

/** Settings that follow from the account, by their keys. */
export type DecidedSettings = Readonly<Record<string, AccountSetting['value']>>;

/** The account, as far as it was read, and the settings that follow from it. */
interface Decision {
  readonly settings: DecidedSettings;
  readonly limits: AccountLimits;
  /** Its instance types are those in zones that the entry to the hosts can be in. */
  readonly state: AccountState;
  readonly entryState: EntryState;
  readonly unread: readonly Unread[];
}

/**
 * Reads the account and decides the settings that depend on it. Prints them.
 *
 * @param deployed the settings of the current deployment, whose zone is kept
 * @throws ConfigError as `StageFile.config` does
 */
export async function decideSettings(
  file: StageFile,
  region: string,
  deployed: RecordedSettings | undefined,
  say: (line: string) => void,
): Promise<Decision> {
  const config = file.config({ region });
  const [{ limits, ...quotas }, account, { state: entryState, ...entry }] = await Promise.all([
    readAccount(region, config),
    readAccountState(region, config),
    readEntryState(region, config),
  ]);
  const { machineTypes, ...others } = account.state;
  const usable = machineTypes && typesOutside(machineTypes, entryState.zonesWithoutOrigins);
  const state = { ...others, ...(usable && { machineTypes: usable }) };
  const zone = valueAt(deployed?.effective, 'host.availabilityZone') as string | undefined;
  const decided = accountSettingsFor(file.read(), config, limits, state, zone);
  for (const { key, value, isRead } of decided)
    say(`${key}=${value}, ${isRead ? "the account's value" : 'the default'} in ${region}.`);
  const settings = Object.fromEntries(decided.map(({ key, value }) => [key, value]));
  const unread = [...quotas.unread, ...account.unread, ...entry.unread];
  return { settings, limits, state, entryState, unread };
}

/** The settings of the current deployment. Undefined if there is none, or if they cannot be read, which is printed. */
export async function readDeployed(
  config: Config,
  region: string,
  say: (line: string) => void,
): Promise<RecordedSettings | undefined> {
  try {
    return await readDeployedSettings(region, `${deploymentName(config)}-Data`);
  } catch (error) {
    const { name, message } = error as Error;
    say(`Cannot read the settings of the current deployment (${name}: ${message}). Some settings may be dropped.`);
    return undefined;
  }
}

/**
 * The settings that depend on the account, for the app of cdk. `npm run deploy` passes them. If another command started cdk, they are decided
 * here in the same way, so that `npx cdk deploy` and `npx cdk diff` have the same templates. Without credentials, as for `npx cdk synth`, they have
 * their defaults, which is printed.
 *
 * @param env of the app, in which cdk names account and region of its credentials
 * @throws ConfigError if the app's credentials are not those of cdk, or cannot be used
 */
export async function settingsForApp(
  file: StageFile,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<Readonly<Record<string, unknown>>> {
  const passed = env[DECIDED_SETTINGS];
  if (passed !== undefined) return JSON.parse(passed);
  const config = file.config();
  const [account, region = env['CDK_DEFAULT_REGION']] = [env['CDK_DEFAULT_ACCOUNT'], config.region];
  if (account === undefined || region === undefined) {
    say('No AWS credentials or region: settings that depend on the account have their defaults.');
    return {};
  }
  const identity: Identity | Error = await readIdentity(region).catch((error: Error) => error);
  if (identity instanceof Error || identity.account !== account) {
    const found = identity instanceof Error ? identity.message : `They are of account ${identity.account}.`;
    throw new ConfigError(
      `The app does not have the credentials of cdk, which are of account ${account}: ${found} Set AWS_PROFILE instead of --profile.`,
    );
  }
  const { settings, unread } = await decideSettings(file, region, await readDeployed(config, region, say), say);
  for (const line of describeUnread(unread, region)) say(line);
  return settings;
}
