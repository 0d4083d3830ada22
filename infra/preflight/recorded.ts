import { CloudFormationClient, GetTemplateSummaryCommand } from '@aws-sdk/client-cloudformation';
import { type RecordedSettings, readRecordedSettings } from '../config/recordedSettings.ts';
import { clientSettings } from './account.ts';

/**
 * Settings of the current deployment, as its Data stack records them. The call is free and needs `cloudformation:GetTemplateSummary`.
 *
 * @returns undefined if there is no such stack, or if it records no settings
 */
export async function readDeployedSettings(region: string, stack: string): Promise<RecordedSettings | undefined> {
  const client = new CloudFormationClient(clientSettings(region));
  try {
    const { Metadata } = await client.send(new GetTemplateSummaryCommand({ StackName: stack }));
    return readRecordedSettings(Metadata);
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}
