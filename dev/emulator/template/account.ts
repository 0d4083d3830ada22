import { createHash } from 'node:crypto';
import { pathOf, type ResourceLocation } from './template.ts';

/** The region of the emulator. */
export const localRegion = 'us-east-1';

/** The account of the emulator. */
export const localAccount = '000000000000';

/** Values of CloudFormation's pseudo parameters. */
export const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': localAccount,
  'AWS::Partition': 'aws',
  'AWS::Region': localRegion,
  'AWS::URLSuffix': 'amazonaws.com',
};

/** An ARN of this account and region: `arn('sqs', 'MyQueue')`. */
export function arn(service: string, resource: string): string {
  return `arn:aws:${service}:${localRegion}:${localAccount}:${resource}`;
}

/** An API id in AWS's form (ten of a–z and 0–9), the same on every start. */
export function apiId(location: ResourceLocation): string {
  const digest = createHash('sha256').update(pathOf(location)).digest('hex');
  return BigInt(`0x${digest}`).toString(36).slice(0, 10);
}

/** The host name AWS would give an API. Events carry it; local URLs replace it. */
export function apiHost(id: string): string {
  return `${id}.execute-api.${localRegion}.amazonaws.com`;
}
