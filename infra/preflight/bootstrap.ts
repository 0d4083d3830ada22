import { quoteWord } from '../../shared/command/quoteWord.ts';
import type { Finding } from './finding.ts';
import type { Destination } from './identity.ts';
import { sendSigned } from './signedRequest.ts';

/** What {@link readBootstrap} needs. */
export const BOOTSTRAP_ACTION = 'ssm:GetParameter on parameter/cdk-bootstrap/*';

/**
 * Whether `cdk bootstrap` has run in the region: CDK reads the same parameter before it deploys.
 *
 * Source: https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html (the default qualifier)
 */
export async function readBootstrap(region: string): Promise<boolean> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameter' };
  return sendSigned({
    service: 'ssm',
    endpointName: 'SSM',
    endpoint: `https://ssm.${region}.amazonaws.com`,
    region,
    path: '/',
    body: '{"Name":"/cdk-bootstrap/hnb659fds/version"}',
    headers,
  }).then(
    () => true,
    (error: Error) => {
      if (error.name === 'ParameterNotFound') return false;
      throw error;
    },
  );
}

/** The command that is missing. @param profile AWS profile of the credentials */
export function bootstrapFinding({ account, region }: Destination, profile: string | undefined): Finding {
  const by = profile ? ` --profile ${quoteWord(profile)}` : '';
  const text = `CDK cannot deploy: account ${account} is not bootstrapped in ${region}. Run this once, then repeat your command: npx cdk bootstrap aws://${account}/${region}${by}`;
  return { isRefused: true, text };
}
