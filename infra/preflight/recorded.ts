import { CloudFormationClient, GetTemplateSummaryCommand } from '@aws-sdk/client-cloudformation';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { type RecordedSettings, readRecordedSettings } from '../config/recordedSettings.ts';
import { valueAt } from '../config/settingsList.ts';
import { clientSettings } from './account.ts';
import type { Finding } from './finding.ts';

/** The permission for the functions below. Their calls are free. */
export const TEMPLATE_ACTION = 'cloudformation:GetTemplateSummary';

/**
 * Settings of the current deployment, as its Data stack records them.
 *
 * @returns undefined if there is no such stack, or if it records no settings
 */
export async function readDeployedSettings(region: string, stack: string): Promise<RecordedSettings | undefined> {
  const template = await readTemplate(region, stack);
  return template && readRecordedSettings(template.Metadata);
}

/** The refusal of another zone for a deployed host: CloudFormation cannot move its subnet, whose range would be in use. */
export async function zoneFindings(
  config: Config,
  deployed: RecordedSettings | undefined,
  region: string,
): Promise<Finding[]> {
  const before = valueAt(deployed?.effective, 'host.availabilityZone');
  const zone = config.host?.availabilityZone;
  if (zone === undefined || before === undefined || zone === before) return [];
  const stack = `${deploymentName(config)}-Host`;
  if ((await readTemplate(region, stack)) === undefined) return [];
  const text = `CloudFormation cannot move the host from ${before} to ${zone}. Destroy its stack first: npx cdk destroy ${stack} --exclusively -c stage=${config.stage}`;
  return [{ isRefused: true, text }];
}

/** @returns undefined if there is no such stack */
async function readTemplate(
  region: string,
  stack: string,
): Promise<{ readonly Metadata?: string | undefined } | undefined> {
  const client = new CloudFormationClient(clientSettings(region));
  try {
    return await client.send(new GetTemplateSummaryCommand({ StackName: stack }));
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}
