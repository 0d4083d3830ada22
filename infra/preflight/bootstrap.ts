import { quoteWord } from '../../shared/command/quoteWord.ts';
import { DEFAULT_QUALIFIER } from '../config/settingsSchema.ts';
import type { Finding } from './finding.ts';
import type { Destination } from './identity.ts';
import { sendSigned, unlessMissing } from './signedRequest.ts';

/** The permission for {@link readBootstrap}. */
export const BOOTSTRAP_ACTION = 'ssm:GetParameter on parameter/cdk-bootstrap/*';

/**
 * Whether `cdk bootstrap` has run in the region: CDK reads the same parameter before it deploys.
 *
 * Source: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html
 */
export async function readBootstrap(region: string, qualifier: string): Promise<boolean> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameter' };
  const body = JSON.stringify({ Name: `/cdk-bootstrap/${qualifier}/version` });
  const request = sendSigned({ service: 'ssm', region, body, headers });
  return (await unlessMissing(request, 'ParameterNotFound')) !== undefined;
}

/** The command that is missing. @param profile AWS profile of the credentials */
export function bootstrapFinding(
  { account, region }: Destination,
  qualifier: string,
  profile: string | undefined,
): Finding {
  // The stack of the first bootstrap has CDK's own name.
  const other =
    qualifier === DEFAULT_QUALIFIER ? '' : ` --qualifier ${qualifier} --toolkit-stack-name CDKToolkit-${qualifier}`;
  const by = profile ? ` --profile ${quoteWord(profile)}` : '';
  const text = `CDK cannot deploy: account ${account} is not bootstrapped in ${region}${other && ` with the qualifier ${qualifier}`}. Run this once, then repeat your command: npx cdk bootstrap aws://${account}/${region}${other}${by}`;
  return { isRefused: true, text };
}
