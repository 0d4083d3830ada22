import { droppedSettings } from '../config/recordedSettings.ts';
import type { StageFile } from '../config/stageFile.ts';
import { acceptDropped, type Prompt } from './acceptDropped.ts';
import { accountFindings } from './accountState.ts';
import { BOOTSTRAP_ACTION, bootstrapFinding, readBootstrap } from './bootstrap.ts';
import { type DecidedSettings, decideSettings, readDeployed } from './decide.ts';
import { entryFindings } from './entryFindings.ts';
import { describeUnread, unreadCollector } from './finding.ts';
import { findDestination } from './identity.ts';
import { idleCost } from './idleCost.ts';
import { machineFindings } from './machineFindings.ts';
import { findingsFor } from './quotaFindings.ts';
import { TEMPLATE_ACTION, zoneFindings } from './recorded.ts';

/** The result of checking the account. */
interface Preflight {
  /** Whether AWS or the operator would refuse the deployment. */
  readonly isRefused: boolean;
  /** Settings that depend on the account, to deploy with. */
  readonly settings: DecidedSettings;
}

/** Output and input of preflight. */
interface PreflightDeps {
  readonly say: (line: string) => void;
  readonly prompt: Prompt;
  /** Whether settings may be dropped without asking. */
  readonly isDropAccepted: boolean;
}

/**
 * Checks the account before anything is bundled or created. Prints one line each: the identity of the credentials, settings that the
 * deployment would drop, its cost when idle, and what will not work. Unreadable facts are reported, and do not stop the deployment.
 *
 * @param file the settings of the stage
 * @throws ConfigError as `StageFile.config` does, also for features that the region lacks, and if the account differs from the settings
 * @throws Error if the credentials cannot be used
 */
export async function preflight(file: StageFile, deps: PreflightDeps): Promise<Preflight> {
  const { say } = deps;
  const destination = await findDestination(file, 'deploys to', say);
  if (destination === undefined) return { isRefused: true, settings: {} };
  const { region } = destination;
  const config = file.config({ region });
  const deployed = await readDeployed(config, region, say);
  const dropped = deployed ? droppedSettings(deployed.set, file.read(), config) : [];
  if (!(await acceptDropped(dropped, file.name, deps.isDropAccepted, say, deps.prompt)))
    return { isRefused: true, settings: {} };
  const { usd, region: priced, unpriced } = idleCost(config, region);
  const others = unpriced.length > 0 ? `, without ${unpriced.join(', ')}` : '';
  say(`Cost when idle: about $${usd.toFixed(2)} a month at list prices of ${priced}${others}.`);

  const { read: readFact, unread } = unreadCollector();
  const [{ settings, limits, state, entryState, ...read }, isBootstrapped, moved] = await Promise.all([
    decideSettings(file, region, deployed, say),
    readFact('the bootstrap of CDK', BOOTSTRAP_ACTION, readBootstrap(region, config.bootstrapQualifier)),
    readFact('the stack of the host', TEMPLATE_ACTION, zoneFindings(config, deployed, region)),
  ]);
  for (const line of describeUnread([...unread, ...read.unread], region)) say(line);
  const effective = file.config({ ...settings, region });
  const findings = [
    ...findingsFor(effective, limits),
    ...(moved ?? []),
    ...machineFindings(effective, state.machineTypes, region),
    ...entryFindings(entryState),
    ...accountFindings(state),
    ...(isBootstrapped === false
      ? [bootstrapFinding(destination, config.bootstrapQualifier, process.env['AWS_PROFILE'])]
      : []),
  ];
  for (const { text } of findings) say(text);
  return { isRefused: findings.some(({ isRefused }) => isRefused), settings };
}
