import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { describeCredentialError } from '../../shared/store/table/credentialError.ts';
import { describeNetworkError } from '../../shared/store/table/networkError.ts';
import { clientSettings } from './account.ts';

/** The identity behind the credentials. */
export interface Identity {
  readonly account: string;
  readonly arn: string;
}

/**
 * Reads the identity behind the credentials from AWS. This needs no permission.
 *
 * @throws Error if there are no credentials, AWS refuses them, or AWS cannot be reached
 */
export async function readIdentity(region: string): Promise<Identity> {
  try {
    const client = new STSClient(clientSettings(region));
    const { Account: account = '', Arn: arn = '' } = await client.send(new GetCallerIdentityCommand());
    return { account, arn };
  } catch (error) {
    const { name, message } = error as Error;
    const network =
      name === 'TimeoutError'
        ? `AWS STS in ${region} does not answer (${message})`
        : describeNetworkError(error as Error);
    if (network) throw new Error(`${network}. Check the region and the network.`);
    const reason = describeCredentialError(error as Error) ?? `AWS credentials cannot be used (${name}: ${message})`;
    throw new Error(`${reason}. Check them with: aws sts get-caller-identity`);
  }
}
