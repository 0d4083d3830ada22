import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { npmCommand, writeError } from '../../shared/command/npmCommand.ts';
import { throughProxy } from '../../shared/runtime/throughProxy.ts';
import { MAX_DEPLOYMENT_NAME } from '../config/deploymentName.ts';
import { checkRegion } from '../config/regions.ts';
import { terminalPrompt } from '../preflight/acceptDropped.ts';
import { regionOf } from '../preflight/account.ts';
import { readIdentity } from '../preflight/callerIdentity.ts';
import { deployRelease } from './deployRelease.ts';

/** CloudFormation is asked as often as its console asks. */
const POLL_MS = 3_000;

/** Parses an e-mail address, or none. */
function address(text: string): string {
  if (text === '' || z.email().safeParse(text).success) return text;
  throw new InvalidArgumentError('It is not an e-mail address.');
}

/** API Gateway limits names of APIs, which begin with the name of the stack. */
function stackName(text: string): string {
  if (text.length <= MAX_DEPLOYMENT_NAME) return text;
  throw new InvalidArgumentError(`It has more than ${MAX_DEPLOYMENT_NAME} characters.`);
}

/** `npx flagwire deploy`: deploys the CloudFormation template in the npm package. */
const options = npmCommand(
  'deploy',
  'Deploys the serverless service to AWS with CloudFormation. It uploads the template of this version and its assets, shows the changes, and asks before it deploys them.',
)
  .option('--stack <name>', 'name of the CloudFormation stack', stackName, 'flagwire')
  .option('--region <region>', 'AWS region (default: AWS_REGION, or the region of your AWS profile)')
  .option(
    '--bucket <name>',
    'existing bucket for assets (default: flagwire-assets-<account>-<region>, which is created)',
  )
  .option('--alarm-email <address>', 'e-mail address for alarms. An empty one removes it', address)
  .option('--yes', 'deploy without asking')
  .option('--no-input', 'never prompt. To deploy, add --yes')
  .addHelpText(
    'after',
    '\nExit code: 0 if the stack has this version, 1 if the deployment failed or was refused, 2 for invalid options.' +
      '\n\nThe stack keeps its tables, bucket and logs when you delete it: aws cloudformation delete-stack --stack-name flagwire',
  )
  .parse()
  .opts<{ stack: string; region?: string; bucket?: string; alarmEmail?: string; yes?: true; input: boolean }>();

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  writeError(`error: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function main(): Promise<boolean> {
  const { stack, bucket, alarmEmail, yes = false, input } = options;
  const region = options.region ?? (await regionOf(process.env));
  if (!region) throw new Error('No AWS region is set. Set AWS_REGION, or add --region.');
  checkRegion(region);
  const identity = await readIdentity(region);
  writeError(
    `Deploys version ${packageJson.version} to account ${identity.account}, region ${region}, as ${identity.arn}.`,
  );
  return deployRelease(
    { ...identity, stack, region, bucket, alarmEmail, isAccepted: yes },
    {
      cloudFormation: new CloudFormationClient({ region, requestHandler: throughProxy() }),
      s3: new S3Client({ region, requestHandler: throughProxy() }),
      release: { path: join(import.meta.dirname, '../../prebuilt/release'), version: packageJson.version },
      prompt: { ...terminalPrompt, isTerminal: input && terminalPrompt.isTerminal },
      say: console.error,
      print: console.log,
      pause: () => sleep(POLL_MS),
    },
  );
}
