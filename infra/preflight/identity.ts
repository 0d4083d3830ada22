import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/configError.ts';
import { correctedRegion } from '../config/correctedRegion.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { checkRegion } from '../config/regions.ts';
import type { StageFile } from '../config/stageFile.ts';
import { regionOf } from './account.ts';
import { type Identity, readIdentity } from './callerIdentity.ts';

/** Region and identity of a command. */
export interface Destination extends Identity {
  readonly region: string;
}

/**
 * Checks region and credentials before a command does anything slow, and prints the target.
 *
 * @param verb the effect of the command on the deployment, such as `deploys to`
 * @returns undefined if no region is set, which is printed
 * @throws ConfigError as `StageFile.config` does, for a region that is not supported, and if the settings name another account than that of the credentials
 * @throws Error if the credentials cannot be used
 */
export async function findDestination(
  file: StageFile,
  verb: string,
  say: (line: string) => void,
): Promise<Destination | undefined> {
  const config = file.config();
  const usual = await regionOf(process.env);
  const region = config.region ?? usual;
  if (region === undefined) {
    say(`No AWS region is set. Set AWS_REGION, or region in ${file.name}.`);
    return undefined;
  }
  checkRegion(region);
  const corrected = correctedRegion(region);
  if (corrected !== undefined) say(`Unknown region ${region}. Did you mean ${corrected}?`);
  const identity = await readIdentity(region);
  say(`${deploymentName(config)} ${verb} account ${identity.account}, region ${region}, as ${identity.arn}.`);
  checkIdentity(config, identity);
  if (usual !== undefined && usual !== region)
    say(`The region comes from the settings. The default region of your credentials is ${usual}.`);
  return { region, ...identity };
}

/** @throws ConfigError if the settings name another account */
function checkIdentity({ account: meant }: Config, { account, arn }: Identity): void {
  if (meant === undefined || meant === account) return;
  throw new ConfigError(
    `account=${meant} is not the account of your credentials: ${arn}. Use credentials of account ${meant}, or change the setting.`,
  );
}
