import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { droppedSettings } from '../config/recordedSettings.ts';
import type { StageFile } from '../config/stageFile.ts';
import { acceptDropped, type Prompt } from './acceptDropped.ts';
import { readAccount, regionOf } from './account.ts';
import { accountFindings } from './accountFindings.ts';
import { accountSettingsFor } from './accountSettings.ts';
import { readAccountState, wantedState } from './accountState.ts';
import { findingsFor } from './findings.ts';
import { checkIdentity, readIdentity } from './identity.ts';
import { idleCost } from './idleCost.ts';
import { readDeployedSettings } from './recorded.ts';
import { describeUnread } from './unread.ts';

/** What a look at the account came to. */
export interface Preflight {
  /** Whether AWS or the operator would refuse the deployment. */
  readonly isRefused: boolean;
  /** Settings that the account decides, to be deployed with. */
  readonly settings: Readonly<Record<string, number | string>>;
}

/** What preflight says, and how it asks. */
interface PreflightDeps {
  readonly say: (line: string) => void;
  readonly prompt: Prompt;
  /** Whether settings may be dropped without asking. */
  readonly isDropAccepted: boolean;
}

/**
 * Looks at the account before anything is bundled or created, and says in one line each: whose credentials these are, which settings the
 * deployment would drop, what it costs unused, and what will not work. What cannot be read is said, and holds up nothing.
 *
 * @param file the settings of the stage
 * @throws ConfigError as `StageFile.config` does, also for what the region does not have, and where the account is another one
 * @throws Error where the credentials cannot be used
 */
export async function preflight(file: StageFile, deps: PreflightDeps): Promise<Preflight> {
  const { say } = deps;
  const chosen = file.config();
  const region = chosen.region ?? (await regionOf(process.env));
  if (region === undefined) {
    say('No region is set: set AWS_REGION, or write it into the settings with --set region=<region>.');
    return { isRefused: true, settings: {} };
  }
  const config = file.config({ region });
  await checkCredentials(chosen, region, deps);
  if (!(await checkDropped(file, config, region, deps))) return { isRefused: true, settings: {} };
  sayCost(config, region, say);

  const wanted = wantedState(config);
  const [{ limits, ...quotas }, { state, ...account }] = await Promise.all([
    readAccount(region, config.fargate !== undefined),
    readAccountState(region, wanted),
  ]);
  for (const line of describeUnread([...quotas.unread, ...account.unread], region)) say(line);
  const decided = accountSettingsFor(file.read(), config, limits, state);
  for (const { key, value, isRead } of decided)
    say(`${key}=${value}, ${isRead ? 'as the account has it' : 'the default'} in ${region}.`);
  const settings = Object.fromEntries(decided.map(({ key, value }) => [key, value]));
  const findings = [...findingsFor(file.config({ ...settings, region }), limits), ...accountFindings(wanted, state)];
  for (const { text } of findings) say(text);
  return { isRefused: findings.some(({ isRefused }) => isRefused), settings };
}

async function checkCredentials(config: Config, region: string, { say }: PreflightDeps): Promise<void> {
  const identity = await readIdentity(region);
  say(`${deploymentName(config)} goes to account ${identity.account}, region ${region}, as ${identity.arn}.`);
  checkIdentity(config, identity);
  const usual = await regionOf(process.env);
  if (usual !== undefined && usual !== region)
    say(`The region is that of the settings; your credentials' is ${usual}.`);
}

/** @returns whether to go on */
async function checkDropped(
  file: StageFile,
  config: Config,
  region: string,
  { say, prompt, isDropAccepted }: PreflightDeps,
): Promise<boolean> {
  let before: Readonly<Record<string, unknown>> | undefined;
  try {
    before = await readDeployedSettings(region, `${deploymentName(config)}-Data`);
  } catch (error) {
    const { name, message } = error as Error;
    say(
      `The settings of the deployment could not be read (${name}: ${message}). Whether some are dropped is not known.`,
    );
    return true;
  }
  const dropped = before ? droppedSettings(before, file.read(), config) : [];
  return acceptDropped(dropped, file.name, isDropAccepted, say, prompt);
}

function sayCost(config: Config, region: string, say: (line: string) => void): void {
  const { usd, region: priced, unpriced } = idleCost(config, region);
  const others = unpriced.length > 0 ? `, without ${unpriced.join(', ')}` : '';
  say(`Unused, it costs some $${usd.toFixed(2)} a month at list prices of ${priced}${others}.`);
}
